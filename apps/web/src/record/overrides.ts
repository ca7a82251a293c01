import type { ResourceName } from '@qd/core/define'
import type { FormModel } from '@qd/core/view'
import type { ComponentType } from 'react'
import { lazyPart } from '../base/state/lazy-part.ts'

const ConnectAgent = lazyPart(async () => (await import('./connect/ConnectAgent.tsx')).ConnectAgent)
const NotifierAside = lazyPart(async () => (await import('./notifiers/NotifierAside.tsx')).NotifierAside)
const BacktestView = lazyPart(async () => (await import('./rules/BacktestView.tsx')).BacktestView)
const TryRule = lazyPart(async () => (await import('./rules/TryRule.tsx')).TryRule)

/** Screens that a definition can’t describe, all in this file. Shown instead of an empty list. */
export const emptyViews: Partial<Record<ResourceName, ComponentType>> = { server: ConnectAgent }

export const formAsides: Partial<Record<ResourceName, ComponentType<{ form: FormModel }>>> = {
  notification: NotifierAside,
}

export const serverCheckViews: Partial<
  Record<ResourceName, Readonly<Record<string, ComponentType<{ answer: unknown }>>>>
> = {
  'alert-rule': { backtest: BacktestView },
}

export const formFeet: Partial<Record<ResourceName, ComponentType<{ form: FormModel }>>> = { 'alert-rule': TryRule }
