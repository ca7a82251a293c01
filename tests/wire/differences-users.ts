import type { Difference } from './difference.ts'
import { deadToken } from './reasons.ts'

const role = 'a missing role is refused (decisions.md, "User without role")'
const lengths = 'a password has 8 characters at least, a name 32 at most (product spec 5)'
/** Where a list of users had agent secrets. */
const secrets = /^body\.data\[\d+\]\.agent_secret$/
const ofOneself =
  'an agent secret is answered in the profile of its user alone (decisions.md, "Agent secrets in lists")'
const fewer = 'ours took fewer of the users'
const gone = 'what somebody owns goes with them, and what only they could see (issue 13, "deletion with the owner")'

/** How ours differs in what admins do with users, and in what is left of a deleted one. */
export const usersDifferences: readonly Difference[] = [
  {
    file: 'users',
    step: 'create: six-byte password is enough',
    error: 'password length must be greater than 6',
    why: lengths,
  },
  {
    file: 'users',
    step: 'create: name differs by case only',
    error: /is too similar to another username/,
    why: 'names that look alike are refused (decisions.md, "Names of users")',
  },
  { file: 'users', step: 'create: role missing makes an admin', error: 'invalid role', why: role },
  {
    file: 'users',
    step: 'create: name with blanks and 300 characters accepted',
    error: /password length/,
    why: lengths,
  },
  { file: 'users', step: 'list, fresh install', at: [secrets], why: ofOneself },
  { file: 'users', step: 'list', at: [/^body\.data$/], why: fewer },
  { file: 'users', step: 'list after delete', at: [/^body\.data$/], why: fewer },
  {
    file: 'profile',
    step: 'user list shows the user without a name',
    at: [/^body\.data\[1\]\.username$/, secrets],
    why: `${lengths}; ${ofOneself}`,
  },
  ...['server-group', 'notification', 'notification-group', 'service/list', 'alert-rule', 'ddns', 'nat'].map((of) => ({
    file: 'delete-cascade',
    step: `left over: /${of}`,
    at: [/^body\.data(\[|$)/],
    why: gone,
  })),
  {
    file: 'delete-cascade',
    step: 'deleted user: /setting',
    status: 200,
    at: [/^headers\.content-type$/, /^bodyText$/],
    why: deadToken,
  },
]
