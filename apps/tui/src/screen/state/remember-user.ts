import { changeUserConfig } from '../../base/connect/config-file.ts'
import { parseUrl, type Settings } from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'

/** Saves who signed in on a connection, as `qd login` does, so that the next start finds the sign-in. */
export async function rememberUser(
  io: Io,
  { settings, username }: { settings: Settings; username: string },
): Promise<void> {
  const { url, profile, paths } = settings
  await changeUserConfig(paths.config, io.platform, (config) => {
    const isTaken = config.profiles.default?.url !== undefined && parseUrl(config.profiles.default.url) !== url
    const name = profile ?? (isTaken ? new URL(url).host.replace(/[^\w.-]/g, '-') : 'default')
    const saved = { ...config.profiles[name], url, user: username }
    return { ...config, current: config.current ?? name, profiles: { ...config.profiles, [name]: saved } }
  })
}
