// Where a server listens, as a person writes it.

/** Where a server listens; without a host on every address. Port 0 takes any that is free. */
export interface Address {
  readonly host: string | undefined;
  readonly port: number;
  /** Take any port where this one is in use. */
  readonly orAny?: true;
}

/** `8443`, `:8443`, `127.0.0.1:8443`, `localhost:8443` or `[::1]:8443`; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const match = /^(?:(\[[\da-fA-F:.]+\]|[^:[\]\s]*):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) return undefined;
  const host = match[1]?.replace(/^\[(.*)\]$/, '$1');
  return { host: host === '' ? undefined : host, port };
}

/** `127.0.0.1:8443`, `[::1]:8443`; without a host `:8443`. */
export function toAddressText({ host, port }: Address): string {
  if (host === undefined) return `:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
