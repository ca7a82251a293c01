import type { Resource, ResourceName } from '../define/index.ts'
import { account } from './account.ts'
import { alertRule } from './alert-rule.ts'
import { apiToken } from './api-token.ts'
import { audit } from './audit.ts'
import { container } from './container.ts'
import { cron } from './cron.ts'
import { ddns } from './ddns.ts'
import { filesystem } from './filesystem.ts'
import { incident } from './incident.ts'
import { maintenanceWindow } from './maintenance-window.ts'
import { nat } from './nat.ts'
import { notification } from './notification.ts'
import { notificationGroup } from './notification-group.ts'
import { onlineUser } from './online-user.ts'
import { packages } from './package.ts'
import { port } from './port.ts'
import { process } from './process.ts'
import { run } from './run.ts'
import { server } from './server.ts'
import { serverGroup } from './server-group.ts'
import { service } from './service.ts'
import { session } from './session.ts'
import { setting } from './setting.ts'
import { signInProvider } from './sign-in-provider.ts'
import { transfer } from './transfer.ts'
import { unit } from './unit.ts'
import { user } from './user.ts'
import { waf } from './waf.ts'

export * from './account.ts'
export * from './alert-rule.ts'
export * from './api-token.ts'
export * from './audit.ts'
export * from './backtest.ts'
export * from './container.ts'
export * from './cron.ts'
export * from './ddns.ts'
export { type DoctorCheck, type DoctorFinding, doctorNames } from './doctor.ts'
export * from './filesystem.ts'
export * from './following.ts'
export * from './growth.ts'
export * from './host.ts'
export * from './host-summaries.ts'
export * from './incident.ts'
export * from './loaded-targets.ts'
export * from './maintenance-window.ts'
export * from './nat.ts'
export * from './needs.ts'
export { olderAgents } from './nezha-checks.ts'
export * from './notification.ts'
export * from './notification-group.ts'
export * from './online.ts'
export * from './online-user.ts'
export * from './package.ts'
export * from './port.ts'
export * from './process.ts'
export * from './run.ts'
export * from './server.ts'
export * from './server-group.ts'
export { figures as serverFigures, isPressed, worstOf } from './server-sample.ts'
export * from './service.ts'
export * from './service-state.ts'
export * from './service-target.ts'
export * from './session.ts'
export * from './setting.ts'
export * from './sign-in-provider.ts'
export * from './transfer.ts'
export * from './unit.ts'
export * from './user.ts'
export * from './waf.ts'

const built = [
  server,
  service,
  cron,
  run,
  notification,
  alertRule,
  incident,
  maintenanceWindow,
  ddns,
  nat,
  serverGroup,
  notificationGroup,
  transfer,
  unit,
  container,
  process,
  port,
  filesystem,
  packages,
  apiToken,
  session,
  setting,
  user,
  onlineUser,
  waf,
  signInProvider,
  audit,
  account,
] as const

/** In navigation order. */
export const resources: readonly Resource[] = built

type Missing = Exclude<ResourceName, (typeof built)[number]['name']>
const _all: [Missing] extends [never] ? true : { missing: Missing } = true

export function resourceByName(name: ResourceName): Resource
export function resourceByName(name: string): Resource | undefined
export function resourceByName(name: string): Resource | undefined {
  return resources.find((resource) => resource.name === name)
}
