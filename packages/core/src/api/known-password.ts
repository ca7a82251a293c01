/** True for what the first account of every existing dashboard is made with, and anybody can try (behaviours, "Traps"). */
export function isFirstPassword(username: string, password: string): boolean {
  return username === 'admin' && password === 'admin'
}
