import { Injectable } from '@nestjs/common';
import { DocumentLayout, type DocumentPage } from '../../serve/http/pages/page-layout.js';
import { Views } from './views.service.js';

/** The documentation is in English; its links leave the language to the reader. */
@Injectable()
export class SiteDocumentLayout extends DocumentLayout {
  constructor(private readonly views: Views) {
    super();
  }

  html({ path, title, body }: DocumentPage): string {
    return this.views.render('document', { title, path, document: body, isDocument: true }, 'en');
  }
}
