import type { ResourceName } from '@qd/core/define'
import type { FormModel } from '@qd/core/view'
import type { ComponentType } from 'react'
import { lazyPart } from '../base/state/lazy-part.ts'

const ConnectAgent = lazyPart(async () => (await import('./connect/ConnectAgent.tsx')).ConnectAgent)
const NotifierAside = lazyPart(async () => (await import('./notifiers/NotifierAside.tsx')).NotifierAside)
const BacktestView = lazyPart(async () => (await import('./rules/BacktestView.tsx')).BacktestView)
const TryRule = lazyPart(async () => (await import('./rules/TryRule.tsx')).TryRule)

/** The escape hatches of the console, all in this file: what teaches the next step where a form cannot. */
export const emptyViews: Partial<Record<ResourceName, ComponentType>> = { server: ConnectAgent }

/** What stands beside a form, above what the server says of it, where texts of the definition cannot say it. */
export const formAsides: Partial<Record<ResourceName, ComponentType<{ form: FormModel }>>> = {
  notification: NotifierAside,
}

/** Answers of trials that lines of text cannot draw. */
export const trialViews: Partial<Record<ResourceName, Readonly<Record<string, ComponentType<{ answer: unknown }>>>>> = {
  'alert-rule': { backtest: BacktestView },
}

/** What stands beside a form, below what the server says of it; these forms say the rest themselves. */
export const formFeet: Partial<Record<ResourceName, ComponentType<{ form: FormModel }>>> = { 'alert-rule': TryRule }
