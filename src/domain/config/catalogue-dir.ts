const given = process.env['CATALOGUE_DIR']?.trim() ?? '';

/**
 * The folder of the operator's own catalogue, or null. It is read here, while modules load: the unit table and the
 * descriptions of tools are made from the catalogue, before any process has read its configuration.
 */
export const CATALOGUE_DIR: string | null = given === '' ? null : given;
