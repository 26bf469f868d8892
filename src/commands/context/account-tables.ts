import { Account } from '../../serve/access/accounts/account.entity.js';
import { ApiKey } from '../../serve/access/keys/api-key.entity.js';
import { AlertEntity } from '../../serve/following/alert.entity.js';
import { FollowEntity } from '../../serve/following/follow.entity.js';

/** The entities that the commands for accounts read and write. */
export const ACCOUNT_TABLES = [Account, ApiKey, FollowEntity, AlertEntity];
