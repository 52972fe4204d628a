// The account records of the help desk. A stand-in for the customer database: reads are asynchronous and give a copy.
const records = new Map(
  [
    { id: 'acct-3004', customer_id: 'cust-17', plan: 'home', entitlement: 'phone support' },
    { id: 'acct-3011', customer_id: 'cust-22', plan: 'studio', entitlement: 'next-day exchange' },
    { id: 'acct-3020', customer_id: 'cust-31', plan: 'studio', entitlement: 'next-day exchange' },
    // Moved here from the old billing system, where it was acct-0871. The old record is closed but still readable.
    {
      id: 'acct-3027',
      previous_id: 'acct-0871',
      customer_id: 'cust-40',
      plan: 'studio',
      entitlement: 'on-site repair',
    },
    { id: 'acct-0871', customer_id: 'cust-40', plan: 'closed' },
    // A protected customer: what we know about this person must not reach the tracing vendor.
    { id: 'acct-3033', customer_id: 'cust-58', plan: 'home', entitlement: 'phone support', confidential: true },
    { id: 'acct-3046', customer_id: 'cust-63', plan: 'home', entitlement: 'phone support' },
  ].map((record) => [record.id, record]),
);

/** The record with this id; rejects when there is none. */
export async function readAccount(id) {
  const record = records.get(id);
  if (!record) throw new Error(`no account ${id}`);
  return { ...record };
}
