/** Where a sentence of the product spec is proven when no case of the checklist cites its words: a file, and the words that a test of it is named by. */
export interface Elsewhere {
  readonly words: string
  readonly file: string
  readonly test: string
}

const at = (words: string, file: string, test: string): Elsewhere => ({ words, file, test })
const entity = (words: string) => at(words, 'tests/architecture/spec-checklist-entities.test.ts', '%s has every field')

/** By section. */
export const provenElsewhere: Readonly<Record<number, readonly Elsewhere[]>> = {
  1: [
    at('with a read-only view for visitors', 'tests/e2e/public.spec.ts', 'a visitor sees servers and services'),
    at('a web terminal and a file manager', 'tests/e2e/files.spec.ts', 'W-19 to W-30: a log is found'),
    at('by external OAuth2 providers', 'tests/server/oauth2.test.ts', 'bound on the profile, it is a way in'),
    at('lets a user bind and unbind providers', 'tests/e2e/providers.spec.ts', 'bound on the profile page'),
    at('a Windows variant and a Linux/macOS', 'apps/server/src/fleet/install/commands.test.ts', 'InstallTarget'),
  ],
  2: [
    at(
      'Terminal font 16 px with blinking cursor.',
      'apps/web/src/terminal/choices.test.ts',
      '16 px and everything off',
    ),
    at('/dashboard/terminal/{id}', 'tests/e2e/terminal-window.spec.ts', 'opens the terminal in a window of its own'),
    at('An optional animated mascot image', 'tests/e2e/site.spec.ts', 'the mascot is small'),
    at('from an external avatar-generation service', 'tests/e2e/site.spec.ts', 'avatars are drawn here'),
    at('triggers login completion', 'tests/e2e/providers.spec.ts', 'bound on the profile page, and signs in'),
    at('refreshes the profile and cleans the URL', 'tests/e2e/providers.spec.ts', 'bound on the profile page'),
    at("Heading 'Terminal ({id})'", 'tests/e2e/terminal-window.spec.ts', 'W-18 axe finds nothing'),
    at('If the server is not connected', 'tests/e2e/terminal-window.spec.ts', 'W-14 a server without a connection'),
    at('When the session closes a dialog', 'tests/e2e/terminal.spec.ts', 'W-12 the end of the shell'),
    at('An upload button.', 'tests/e2e/files.spec.ts', 'W-19 to W-30: a log is found'),
    at('Rows of folder or file icon', 'tests/e2e/files.spec.ts', 'W-19 to W-30: a log is found'),
    at('Clicking a folder enters it.', 'tests/e2e/files.spec.ts', 'W-19 to W-30: a log is found'),
    at('show a modal progress dialog', 'tests/e2e/files.spec.ts', 'W-26, W-30: a dropped file goes up'),
    at("'Oops!', 'Sorry, an unexpected", 'tests/e2e/account.spec.ts', 'failed settings show the Oops page'),
    at('Up to 5 pages all pages are shown', 'packages/core/src/view/list-model.test.ts', 'product spec 2: of page'),
    at('Paginated from query parameters', 'tests/e2e/firewall.spec.ts', 'an address is blocked with its reason'),
    at('Blocked IPs, paginated.', 'tests/e2e/firewall.spec.ts', 'an address is blocked with its reason'),
  ],
  3: [
    at('Cached locally.', 'packages/core/src/store/session.test.ts', 'who it was last time is shown before'),
    at('**Session**: session_id', 'tests/architecture/spec-payloads.test.ts', 'returns session_id'),
    at(
      '**File list entry**',
      'tests/architecture/spec-checklist-files.test.ts',
      'A list reply holds a path and entries',
    ),
    entity('**NAT profile**'),
    entity('**Notification group**'),
    entity('**Server group**'),
    entity('**Server**'),
    entity('**Settings**'),
    entity('**Online user**'),
    at(
      '**Server agent config**',
      'tests/architecture/spec-checklist-entities.test.ts',
      'Server agent config has every field',
    ),
  ],
  4: [
    at('OAuth2: a login (mode 1)', 'tests/server/oauth2.test.ts', 'the way there: PKCE'),
    at('On return the profile is fetched', 'tests/e2e/providers.spec.ts', 'bound on the profile page, and signs in'),
    at('Unbind removes a binding', 'tests/server/oauth2.test.ts', 'the last way in is kept'),
    at('listing, downloading, uploading', 'packages/core/src/files/view/controller.test.ts', 'the folder is read anew'),
    at('Downloads wait for the worker', 'apps/web/src/files/save-file.test.ts', 'W-25: a large download goes to disk'),
    at('shows the completion dialog', 'tests/e2e/terminal.spec.ts', 'W-12 the end of the shell'),
    at('Copy buttons (agent install, note', 'tests/e2e/site.spec.ts', 'a note has a button that copies it'),
    at('Custom dashboard code from settings', 'tests/e2e/site.spec.ts', 'custom code that was emptied is gone'),
  ],
  5: [at('Install command needs install_host', 'tests/e2e/actions.spec.ts', 'install commands: the header')],
  8: [
    at('Force update result: a Done toast', 'tests/tui/actions.test.ts', 'a forced update says whom it was sent to'),
    at('Failed list fetch', 'tests/e2e/account.spec.ts', 'a failed list is said in its place'),
    at(
      'Failed agent config fetch',
      'apps/web/src/record/questions/ActionDialog.test.tsx',
      'the window closes and the failure',
    ),
    at('Empty copy: warning', 'tests/architecture/spec-checklist-limits.test.ts', 'Copying empty text: warning'),
    at('Settings load error', 'tests/e2e/account.spec.ts', 'failed settings show the Oops page'),
  ],
  9: [
    at('all pages shown when 5 or fewer', 'packages/core/src/view/list-model.test.ts', 'product spec 2: of page'),
    at('install variants each use environment', 'apps/server/src/fleet/install/commands.test.ts', 'InstallTarget'),
    at('ip_report_period at least 30', 'tests/architecture/spec-checklist-rules.test.ts', 'report_delay integer 1-4'),
    at('Paths for some calls', 'tests/architecture/spec-checklist-calls.test.ts', '$method $path is answered'),
  ],
}

/** Sentences that say of the spec itself what it does not show. */
export const saysNothing: readonly string[] = ['Which roles may call which endpoints on the server: not shown.']
