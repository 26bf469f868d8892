import { ChangesModule } from './changes/changes.module.js';
import { CoverageModule } from './coverage/coverage.module.js';
import { MacroModule } from './macro/macro.module.js';
import { TopicsModule } from './topics/topics.module.js';

/** Every resource of the service: a new one is a folder and a line here. */
export const RESOURCES = [ChangesModule, CoverageModule, TopicsModule, MacroModule];
