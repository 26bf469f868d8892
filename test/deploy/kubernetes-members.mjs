// Members that Kubernetes' types do not have. The schemas accept them and the cluster drops them, so a misspelt probe
// has no effect. The compiler refuses members that a type does not know, so the check compiles the manifests as
// literals.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The module with the types of a manifest's kind. */
export function modelsOf({ apiVersion }) {
  const isPrometheus = apiVersion.startsWith('monitoring.coreos.com/');
  return `${isPrometheus ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;
}

/** @returns {string[]} the compiler's errors, by manifest */
export function strangers(documents, label) {
  // Beside this file, so that the compiler finds the package of types.
  const folder = mkdtempSync(path.join(import.meta.dirname, '.members-'));
  try {
    const files = documents.map((document, at) => {
      const file = path.join(folder, `${at}.ts`);
      const type = `import type { I${document.kind} } from '${modelsOf(document)}';`;
      writeFileSync(file, `${type}\nexport const it: I${document.kind} = ${JSON.stringify(document, null, 2)};\n`);
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
        .map(({ messageText }) => `${label(documents[at])}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
