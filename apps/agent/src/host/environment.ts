/** The environment that shells and programs on behalf of others get: the agent's own without its secret. */
export const ownEnvironment = (): NodeJS.ProcessEnv => {
  const { NZ_CLIENT_SECRET: _secret, ...env } = process.env
  return env
}
