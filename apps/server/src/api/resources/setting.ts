import { Role, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { setting } from '@qd/core/resources'
import { createSettingsTrial, lockOutOf } from '../../access/settings-trial.ts'
import { texts } from '../../kernel/texts.ts'
import { version } from '../../kernel/version.ts'
import { notedAs } from '../../store/records/audit.ts'
import { invalid, readInput } from '../../store/records/input.ts'
import { demandFor, demandRight } from '../../store/records/rights.ts'
import type { MutableSettings, SettingValues } from '../../store/records/settings.ts'
import { toInstant } from '../../store/records/wire.ts'
import { examine } from '../../watch/examine.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore } from './store.ts'

/** The only built-in status page (decisions.md, "MCP, front-end templates"). */
const templates = [{ path: 'user-dist', name: 'Quarterdeck', is_official: true }]

/** Fields that Nezha 2.x knows and overwrites (contract http-api 3.5). */
const replaced = ['dashboard_host', 'reserved_hosts']

/** Sent even if empty (contract http-api 4.14). */
const always = ['language', 'site_name', 'ip_change_notification_group_id', 'cover']

export const settingRoutes: Served<'setting'> = { resource: setting, serve: createSettingStore }

/** See contract http-api 3.5. */
function createSettingStore(container: Container): ResourceStore {
  const { settings, signInProviders, history } = container
  const trial = createSettingsTrial(container)
  const providerNames = () => signInProviders.all().flatMap(({ enabled, name }) => (enabled ? [name] : []))
  const trialOf = () => {
    const until = trial.until()
    return until === null ? {} : { trial_until: toInstant(until) }
  }
  return {
    ...noRoutes,
    resource: setting,
    version: () => String(settings.version()),
    stored: () => [storedOf(settings.get())],
    async get({ viewer }) {
      demandFor(settings, viewer, setting, { audience: setting.audience.read, scope: null })
      const admin = viewer.id !== null && viewer.role === Role.admin
      const config = Object.fromEntries(
        Object.entries({ ...project(viewer, settings), oauth2_providers: providerNames() }).filter(
          ([name, value]) =>
            always.includes(name) ||
            (Array.isArray(value) && name === 'oauth2_providers' ? value.length > 0 : Boolean(value)),
        ),
      )
      const forAdmins = { version, frontend_templates: templates, history_bytes: history.sizeBytes(), ...trialOf() }
      return JSON.stringify({ config, ...(admin && forAdmins), tsdb_enabled: true })
    },
    async edit(caller, _id, body, _ifMatch, note) {
      const { viewer } = caller
      demandRight(settings, viewer, setting, 'write')
      const template = (body as { user_template?: unknown } | null)?.user_template
      if (!templates.some(({ path }) => path === template)) {
        throw new AppError(
          'invalid',
          { text: texts.template },
          { problems: [{ field: 'user_template', code: 'notOption' }] },
        )
      }
      const input = readInput(setting, body, { replaced, before: settings.get() })
      const next = { ...input, language: String(input.language).replace('_', '-') } as SettingValues
      const before = settings.get()
      const lockOut = lockOutOf(next, before, { ...container, caller })
      if (lockOut) throw invalid([lockOut], {}, {})
      const { on_trial } = body as { on_trial?: unknown }
      await trial.save(next, { onTrial: on_trial === true, also: noted(note) })
    },
    async call({ viewer }, action, _body, note) {
      demandFor(settings, viewer, setting, action)
      if (action.name !== 'keep' && action.name !== 'revert') return examine(container)
      await trial[action.name](noted(note))
      return null
    },
  }
}

const storedOf = (values: SettingValues) => ({ id: 1, ...values })

const noted = notedAs(storedOf)

/** Guests see the site's appearance, members also install settings, administrators everything. */
function project(viewer: Viewer, settings: MutableSettings): Readonly<Record<string, unknown>> {
  const values = settings.get()
  const effective_time_zone = settings.timeZone()
  const { site_name, language, custom_code, install_host, tls, time_zone, force_auth, nat_domains } = values
  const open = { language, site_name, custom_code, force_auth, ip_change_notification_group_id: 0, cover: 0 }
  if (viewer.id === null) return open
  const custom_code_dashboard = values.custom_code_dashboard
  if (viewer.role !== Role.admin)
    return { ...open, custom_code_dashboard, install_host, tls, nat_domains, time_zone, effective_time_zone }
  const ignored = values.ignored_ip_notification
  return {
    ...values,
    effective_time_zone,
    admin_template: 'admin-dist',
    ignored_ip_notification: ignored.join(','),
    ignored_ip_notification_server_ids: ignored.length > 0 ? Object.fromEntries(ignored.map((id) => [id, true])) : null,
  }
}
