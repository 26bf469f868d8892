// Members that Kubernetes' types do not have. Its schemas let them pass and the cluster drops them: a misspelt probe is
// none. The compiler refuses what a type does not know, so the manifests are shown to it as literals.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The module that describes a manifest's kind. */
export function modelsOf({ apiVersion }) {
  const isPrometheus = apiVersion.startsWith('monitoring.coreos.com/');
  return `${isPrometheus ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;
}

/** @returns {string[]} what the compiler says, by manifest */
export function strangers(documents, label) {
  // Beside this file, where the compiler finds the package of types.
  const folder = mkdtempSync(path.join(import.meta.dirname, '.members-'));
  try {
    const files = documents.map((document, at) => {
      const file = path.join(folder, `${at}.ts`);
      const type = `import type { I${document.kind} } from '${modelsOf(document)}';`;
      writeFileSync(
        file,
        `${type}\nexport const it: I${document.kind} = ${JSON.stringify(document, null, 2)};\n`,
      );
      return file;
    });
    const program = ts.createProgram(files, {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
    });
    return files.flatMap((file, at) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(file))
        .map(
          ({ messageText }) =>
            `${label(documents[at])}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
        ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
