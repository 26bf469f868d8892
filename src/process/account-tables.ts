import { Account } from '../access/account.entity.js';
import { ApiKey } from '../access/api-key.entity.js';
import { AlertEntity } from '../following/alert.entity.js';
import { FollowEntity } from '../following/follow.entity.js';

/** The entities that the commands for accounts read and write. */
export const ACCOUNT_TABLES = [Account, ApiKey, FollowEntity, AlertEntity];
