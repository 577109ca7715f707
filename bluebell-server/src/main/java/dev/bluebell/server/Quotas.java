package dev.bluebell.server;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limit of each {@link Quota} for all clients of a device process together, and the current
 * use. A client may hold as much as stays free for others: a single client half, two clients a
 * third each. A part is reserved for the first needs of new clients. Thread-safe.
 */
public final class Quotas {
  // Generous estimates of the heap that objects take.
  private static final long KEY_BYTES = 4096;
  private static final long KEY_ENTRY_BYTES = 64;
  private static final long QUEUE_BYTES = 1 << 15;
  private static final long OBJECT_BYTES = 1024;
  private static final long STREAM_BYTES = 1 << 14;

  /** With 16 late masked atomics and three long lists of pieces. */
  private static final long DC_SESSION_BYTES = 14 << 10;

  private static final long TAG_MATCHING_QUEUE_BYTES = 1 << 16;

  /**
   * At most 65,536 events that the device queues for a connection, 2,048 diagnostic sentences, and
   * the history of 16,384 objects, which take 2, 1 and 4 MiB. Counted per connection, not per
   * thread: a connection that waits for events has two threads.
   */
  private static final long SESSION_BYTES = 8 << 20;

  /** A thread, and buffers for messages; ids and events have quotas of their own. */
  private static final long EVENT_CHANNEL_BYTES = 1 << 16;

  /** Number of new clients for which an amount is reserved, at most a fixed part of the limit. */
  private static final long NEWCOMERS = 64;

  private static final long PART_FOR_NEWCOMERS = 4;

  private static final long MIN_CONNECTIONS = 32;
  private static final long MAX_KEY_ENTRIES = 1 << 22;
  private static final long MAX_OBJECTS = 1 << 20;
  private static final long MAX_UARS = 1 << 13;
  private static final long MAX_SILENT = 1 << 10;
  private static final long MAX_DC_TARGETS = 1 << 16;
  private static final long MAX_PENDING = 1 << 18;
  private static final long MAX_EVENT_CHANNELS = 1 << 14;

  /** Below the 28,232 ephemeral ports of a port space, so some are always free. */
  private static final long MAX_CONNECTION_IDS = 28_000;

  private static final long CONNECTION_ID_BYTES = 4096;
  private static final long MAX_RESIDENTS = 64;
  private static final long MAX_RESIDENT_OBJECTS = 1 << 16;
  private static final long MAX_RESIDENT_PIECES = 1 << 13;
  private static final long MAX_RESIDENT_BYTES = 1L << 30;

  private final long[] limits;
  private final long[] held = new long[Quota.values().length];
  private final Map<Object, Account> accounts = new HashMap<>();

  private Quotas(long[] limits) {
    this.limits = limits;
  }

  /** Chooses quotas for the clients of a device from the limits of this process. */
  public static Quotas of(Hca hca) {
    return of(hca, ProcessLimits.here());
  }

  static Quotas of(Hca hca, ProcessLimits limits) {
    View cap = CapabilityType.query(hca::execute, CapabilityType.GENERAL);
    long heap = limits.heapBytes();
    Map<Quota, Long> amounts = new EnumMap<>(Quota.class);
    amounts.put(Quota.SILENT_CONNECTIONS, Math.min(MAX_SILENT, limits.descriptors() / 8));
    amounts.put(
        Quota.CONNECTIONS,
        Math.min(limits.threads(), Math.max(MIN_CONNECTIONS, heap / SESSION_BYTES)));
    amounts.put(
        Quota.EVENT_CHANNELS,
        Math.min(limits.threads(), Math.min(MAX_EVENT_CHANNELS, heap / EVENT_CHANNEL_BYTES)));
    amounts.put(Quota.THREADS, limits.threads());
    amounts.put(Quota.DESCRIPTORS, limits.descriptors());
    amounts.put(Quota.MAPPINGS, limits.mappings());
    amounts.put(Quota.BYTES, limits.memoryBytes());
    amounts.put(Quota.OBJECTS, Math.min(MAX_OBJECTS, heap / OBJECT_BYTES));
    amounts.put(Quota.DOMAINS, table(cap, CmdHcaCap.LOG_MAX_PD, heap / OBJECT_BYTES));
    amounts.put(Quota.UARS, Math.min(MAX_UARS, heap / KEY_BYTES));
    amounts.put(Quota.UMEMS, table(cap, CmdHcaCap.LOG_MAX_UMEM, heap / OBJECT_BYTES));
    amounts.put(
        Quota.DEVICE_MEMORY,
        CapabilityType.query(hca::execute, CapabilityType.DEV_MEM)
            .get(DeviceMemCap.MEMIC_BAR_SIZE));
    amounts.put(Quota.KEYS, table(cap, CmdHcaCap.LOG_MAX_MKEY, heap / KEY_BYTES));
    amounts.put(Quota.KEY_ENTRIES, Math.min(MAX_KEY_ENTRIES, heap / KEY_ENTRY_BYTES));
    amounts.put(Quota.QUEUE_PAIRS, table(cap, CmdHcaCap.LOG_MAX_QP, heap / QUEUE_BYTES));
    amounts.put(Quota.STREAMS, heap / STREAM_BYTES);
    // Initiators begin sessions without a command, so a target is charged for all of them.
    long sessions = 1L << cap.getInt(CmdHcaCap.LOG_MAX_DCT_CONNECTIONS);
    amounts.put(
        Quota.DC_TARGETS,
        Math.min(MAX_DC_TARGETS, heap / (QUEUE_BYTES + sessions * DC_SESSION_BYTES)));
    amounts.put(Quota.COMPLETION_QUEUES, table(cap, CmdHcaCap.LOG_MAX_CQ, heap / QUEUE_BYTES));
    amounts.put(Quota.RECEIVE_QUEUES, table(cap, CmdHcaCap.LOG_MAX_RMP, heap / QUEUE_BYTES));
    amounts.put(
        Quota.TAG_MATCHING_QUEUES,
        table(cap, CmdHcaCap.LOG_MAX_XRQ, heap / TAG_MATCHING_QUEUE_BYTES));
    amounts.put(Quota.SUBSCRIPTIONS, Math.min(MAX_OBJECTS, heap / OBJECT_BYTES));
    amounts.put(Quota.PENDING_EVENTS, Math.min(MAX_PENDING, heap / OBJECT_BYTES));
    amounts.put(Quota.CONNECTION_IDS, Math.min(MAX_CONNECTION_IDS, heap / CONNECTION_ID_BYTES));
    amounts.put(Quota.RESIDENTS, MAX_RESIDENTS);
    amounts.put(Quota.RESIDENT_OBJECTS, MAX_RESIDENT_OBJECTS);
    amounts.put(Quota.RESIDENT_PIECES, MAX_RESIDENT_PIECES);
    amounts.put(Quota.RESIDENT_BYTES, MAX_RESIDENT_BYTES);
    return of(amounts);
  }

  private static long table(View cap, Field logEntries, long affordable) {
    return Math.min(1L << cap.getInt(logEntries), affordable);
  }

  /** Quotas with the given limits; a quota without an amount is unlimited. */
  public static Quotas of(Map<Quota, Long> amounts) {
    long[] limits = new long[Quota.values().length];
    for (Quota quota : Quota.values()) {
      // Large, but sums do not overflow.
      limits[quota.ordinal()] = amounts.getOrDefault(quota, Long.MAX_VALUE / 4);
    }
    return new Quotas(limits);
  }

  /** How much there is for all clients together. */
  public long limit(Quota quota) {
    return limits[quota.ordinal()];
  }

  /** How much all clients hold together. */
  public synchronized long held(Quota quota) {
    return held[quota.ordinal()];
  }

  /**
   * The account of a process, which all its connections share; the caller closes it once for each
   * call.
   *
   * @param process its identity, see {@link WatchedProcess#identity}
   */
  public synchronized Account open(Object process) {
    Account account = accounts.computeIfAbsent(process, opened -> new Account(this, opened));
    account.openings++;
    return account;
  }

  synchronized void close(Account account) {
    account.openings--;
    forgetIfUnused(account);
  }

  // An account keeps what it still holds, also when its process connects again.
  private void forgetIfUnused(Account account) {
    if (account.openings == 0 && Arrays.stream(account.held).allMatch(amount -> amount == 0)) {
      accounts.remove(account.process(), account);
    }
  }

  /**
   * Takes an amount for an account. Returns null, or the reason why the account may not take it.
   */
  synchronized @Nullable QuotaExceeded take(Account account, Quota quota, long amount) {
    int at = quota.ordinal();
    long own = account.held[at] + amount;
    long all = held[at] + amount;
    long kept = kept(quota);
    // Both sums are below 2^63: amounts are below 2^61.
    if (own <= quota.first() ? all > limits[at] : own > limits[at] - all - kept) {
      return new QuotaExceeded(
          "the client holds %d %s and asks for %d more; of the %d for all clients %d are free, of which %d are reserved for new clients, and a client may hold no more than it leaves free for others (quota %s)"
              .formatted(
                  account.held[at],
                  quota,
                  amount,
                  limits[at],
                  limits[at] - held[at],
                  kept,
                  quota.name()));
    }
    account.held[at] = own;
    held[at] = all;
    return null;
  }

  private long kept(Quota quota) {
    return Math.min(limit(quota) / PART_FOR_NEWCOMERS, NEWCOMERS * quota.first());
  }

  synchronized void give(Account account, Quota quota, long amount) {
    account.held[quota.ordinal()] -= amount;
    held[quota.ordinal()] -= amount;
    forgetIfUnused(account);
  }

  synchronized long held(Account account, Quota quota) {
    return account.held[quota.ordinal()];
  }
}
