/** Client configurations that contain the new key, ready to paste. */
export function keySnippets(baseUrl: string, key: string) {
  const endpoint = `${baseUrl}/api/v1/mcp`;
  const headers = { Authorization: `Bearer ${key}` };
  return {
    curl: `curl -H "Authorization: Bearer ${key}" "${baseUrl}/api/v1/changes?limit=3"`,
    assistants: [
      `claude mcp add --transport http tidemark ${endpoint} --header "Authorization: Bearer ${key}"`,
      JSON.stringify({ mcpServers: { tidemark: { url: endpoint, headers } } }, null, 2),
    ],
  };
}
