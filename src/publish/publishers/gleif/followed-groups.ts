/** The groups that `--live` requests, by the LEI of the entity whose children the API lists. */
export const FOLLOWED_GROUPS: readonly string[] = [
  '529900K9B0N5BT694847', // Allianz SE
  '21380068P1DRHMJ8KU70', // Shell plc
  '851WYGNLUQLFZBSYGB56', // Commerzbank AG
  'INR2EJN1ERAN0W5ZP974', // Microsoft Corporation
  '529900GRZ2BQY5ZM9N49', // PUMA SE
  '5299001ERX0K10IZUL40', // Fraport AG
  'HWUPKR0MPOU8FGXBT394', // Apple Inc.
];
