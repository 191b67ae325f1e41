import * as z from 'zod/mini';
import { gunzip, gzip } from '../../platform/runtime/gzip.ts';
import { maxSamples, Remark } from './remark.ts';

/** A list of sessions reads 20 sessions, which do not show their remarks. */
const maxPackedBytes = 6_000;

/** Remarks as a session stores them. Of those with samples whose ids are long and random, fewer samples are kept. */
export async function packRemarks(remarks: readonly Remark[]): Promise<Uint8Array> {
  for (let kept = maxSamples; ; kept--) {
    const shortened = remarks.map((remark) => ({ ...remark, samples: remark.samples.slice(0, kept) }));
    const packed = await gzip(JSON.stringify(shortened));
    if (packed.length <= maxPackedBytes || kept === 1) return packed;
  }
}

export async function unpackRemarks(packed: Uint8Array | undefined): Promise<Remark[]> {
  return packed ? z.array(Remark).parse(JSON.parse((await gunzip(packed)).toString())) : [];
}
