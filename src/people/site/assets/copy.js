// Adds a copy button to each block that names one; without JavaScript, a reader selects the text.
for (const block of document.querySelectorAll('[data-copy]')) {
  // Browsers offer the clipboard over https and on the own machine only.
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'second copy';
  button.textContent = block.dataset.copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = block.dataset.copied;
  });
  block.after(button);
}
