import { Module } from '@nestjs/common';
import { BoardService } from './board.service.js';
import { MacroController } from './macro.controller.js';
import { MacroService } from './macro.service.js';

@Module({ controllers: [MacroController], providers: [MacroService, BoardService] })
export class MacroModule {}
