/** True for nothing, or an address of a web server; placeholders in it are filled when a request is made. */
export function isWebAddress(text: string): boolean {
  return text === '' || /^https?:\/\/[^\s/?#]+/i.test(text)
}
