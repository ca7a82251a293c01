/** The environment that shells and programs on behalf of others get: the agent's own without its secret. */
export const ownEnvironment = (): NodeJS.ProcessEnv => {
  const { NZ_CLIENT_SECRET: _secret, ...env } = process.env
  return env
}

const plainNames =
  'PATH HOME USER LOGNAME SHELL LANG LC_ALL TZ TERM SYSTEMROOT WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE'.split(' ')

/** What programs without a shell start with. Source: agent contract 3.10. */
export const reducedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(plainNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
