// Imported first: an older Node fails on later lines with a stack that does not name the cause.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tidemark needs Node 20.19 or newer; this is Node ${process.versions.node}`);
  process.exit(1);
}
