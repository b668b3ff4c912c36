// A server that begins to listen, or why it cannot, in words that say what to do.
import { type Address, toAddressText } from '../http/address.ts';
import { UsageError } from './usage-error.ts';

/** Where `begin` listens in the end. Throws UsageError where it cannot. */
export async function listen(
  begin: (port: number, host?: string) => Promise<number>,
  address: Address,
  flag: string,
): Promise<Address> {
  try {
    return { host: address.host, port: await begin(address.port, address.host) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EADDRINUSE' && address.orAny) return listen(begin, { host: address.host, port: 0 }, flag);
    const reason = LISTEN_PROBLEMS[code];
    if (reason === undefined) throw error;
    throw new UsageError(`podrail: cannot listen on ${toAddressText(address)}: ${reason}; name another with ${flag}`);
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not use the port',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
};
