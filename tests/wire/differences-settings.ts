import type { Difference } from './difference.ts'
import { oneTemplate, strict, templates } from './reasons.ts'

/** How ours differs in settings. */
export const settings: readonly Difference[] = [
  { file: 'auth', step: 'GET /setting with login does not seed nz-csrf', at: [templates], why: oneTemplate },
  {
    file: 'mcp',
    step: 'tools/list (read-only token)',
    at: [/result\.tools$/],
    why: 'every action is a tool (docs/automate/mcp.md); tests/server/mcp.test.ts compares those of the contract',
  },
  { file: 'mcp', step: 'server.list', at: [/servers$/], why: 'recorded with one server' },
  { file: 'settings', step: 'as admin', at: [templates], why: oneTemplate },
  {
    file: 'settings',
    step: 'as admin after the edit',
    at: [templates],
    why: oneTemplate,
  },
  {
    file: 'settings',
    step: 'as guest after the edit',
    at: [/custom_code_dashboard$/],
    why: 'only for signed-in pages (decisions.md, "Custom code")',
  },
  {
    file: 'settings',
    step: 'edit: minimal resets the rest (enable_mcp kept)',
    error: /site_name is required/,
    why: strict,
    instead: { user_template: 'user-dist', site_name: '-', language: 'en', cover: 1 },
  },
  {
    file: 'settings',
    step: 'after the minimal edit',
    at: [templates, /ignored_ip_notification_server_ids$/],
    why: `${oneTemplate}; an emptied list is empty at once (engines Q19)`,
  },
]
