import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document of this process, which exists once all routes do. */
@Injectable()
export class ApiDocument {
  content: OpenAPIObject | null = null;
}
