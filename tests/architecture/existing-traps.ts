/** A test that proves how a trap is met: its file, and how it is named there. */
export type Proof = readonly [file: string, test: string]

const drift = (test: string): Proof => ['apps/tui/src/start/nezha-drift.test.ts', test]
const trap = (test: string): Proof => ['apps/tui/src/start/nezha-traps.test.ts', test]
const records = (test: string): Proof => ['apps/tui/src/start/nezha-records.test.ts', test]
const actions = (test: string): Proof => ['apps/tui/src/start/nezha-actions.test.ts', test]
const trouble = (test: string): Proof => ['apps/tui/src/start/nezha-trouble.test.ts', test]
const web = (test: string): Proof => ['tests/e2e/existing-records.spec.ts', test]
const files = (test: string): Proof => ['packages/core/src/files/session.test.ts', test]

/** By the first words of each row of behaviours “Contract drift that the client survives”. */
export const driftProofs: Readonly<Record<string, readonly Proof[]>> = {
  'Manual run': [
    actions('a task is run with the method that it knows, and sent is not called done'),
    drift('an older one that answers POST with %i is asked by GET'),
  ],
  'File session': [drift('files are asked for with the verb that it knows')],
  Refresh: [
    drift('a sign-in is prolonged at half of its life, once, with the verb that it knows'),
    drift('a refused refresh is not repeated with each call'),
  ],
  'Unsafe methods': [
    drift('a change carries the token against forgery where there is one, reading does not'),
    drift('a stale token is replaced once, by a cheap reading call'),
    drift('a second refusal is told, and nothing is tried for ever'),
    drift('an API token needs neither cookies nor that token'),
  ],
  'Failed auth': [
    trouble('a wrong password comes with status 200, and is one'),
    trouble('the dashboard ended the sign-in'),
  ],
  'WAF block': [trouble('the firewall answers with its page')],
  'Lists of DDNS and notifiers': [
    records('%s: %s'),
    drift('a notifier needs its address when it is made, and not when it is edited'),
  ],
  'Online users, WAF lists': [
    trouble('an account without rights is told so, and sees what is its own'),
    web('sees what is theirs; lists of administrators explain themselves'),
  ],
  'Service visibility': [drift('a service is hidden from guests by the one name that it knows')],
  Profile: [drift('a hash of a password is neither shown nor kept')],
  Role: [drift('a role that is not sent is that of an administrator, and the server decides what anybody may')],
  New: [
    records('what it does not have is said in a sentence'),
    drift('what it can do is asked for once, and its version only where it counts'),
  ],
  'Terminal frame': [drift('keys and sizes of a shell go in frames that it takes; a paste of 512 KiB goes in pieces')],
  'Stream limits': [drift('too many shells and file windows are said to be that')],
}

/** By the first words of each row of behaviours “Traps in what upstream answers”. */
export const trapProofs: Readonly<Record<string, readonly Proof[]>> = {
  'Force update:': [actions('a forced update is sent; only another version says that it was done')],
  'Manual run returns': [trap('a task %s would be “sent” to nobody, and is refused before')],
  'One last_result per task': [
    actions('the last result of a task is what was once reported, never a failure or a success of now'),
  ],
  'Command output': [trap('the output of commands is told nowhere, and nothing pretends to show it')],
  'Agent config read': [actions('the configuration of an agent: no answer means offline')],
  'File list of an unreadable': [trap('a folder that cannot be read comes back as the home folder, and that is said')],
  'Empty file download': [trap('an empty file comes as an error, and is a file of no bytes')],
  'Download frames are raw': [
    trap('data that begins like an error is data, and an error in the middle is one'),
    trap('a file that grows while it is read ends at the size that was told'),
    files('N-14: a download that stands still is told after 15 s and given up after a minute'),
  ],
  'Upstream web download': [
    [
      'apps/web/src/files/save-file.test.ts',
      'W-25: without a secure page it is held in memory, up to a limit that is said before the first byte',
    ],
  ],
  'Upload loop': [
    files('W-26: no more than 8 MiB wait in the socket; it goes on when there is room'),
    trap('an upload that is cancelled ends its stream, and says that the file there is incomplete'),
  ],
  'No logout route': [trap('a sign-out cannot end the sign-in there, and says until when it goes on')],
  'First start creates': [trap('the first account with the first password is told so at each sign-in')],
  '`?token=` accepted': [
    trap('a token in an address is neither sent nor kept nor shown'),
    ['tests/server/gateway.test.ts', 'a token in the address is refused'],
  ],
  'net_all_speed adds': [
    ['apps/tui/src/start/nezha-doctor.test.ts', 'a rule that can end the dashboard is named; members may not ask'],
    ['apps/server/src/watch/alerts/judge.test.ts', '%s is what its type says'],
    ['apps/server/src/watch/alerts/judge.test.ts', '%s of %j is no data: neither bad nor good'],
  ],
  'Profile update hashes': [
    trap('a profile is never sent with an empty password'),
    ['tests/abuse/credentials.test.ts', 'S-11 a password of %s is refused, never cut'],
  ],
  'Session bound': [trouble('the dashboard ended the sign-in')],
}
