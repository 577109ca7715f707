package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.found;

import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;
import dev.bluebell.softnic.transport.MulticastGroups;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.dynamic.DcTarget;
import dev.bluebell.softnic.transport.receive.XrcSrq;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The objects of a device, by kind and number. Owned by the thread that runs the engine. */
public final class Inventory {
  private static final int LINES_AT_ONCE = 64;
  private static final int LOOKS_AT_ONCE = 4096;

  final ObjectTable<ProtectionDomain> domains = new ObjectTable<>(1, 1 << Limits.LOG_MAX_PD);
  final ObjectTable<UarPage> uarPages = new ObjectTable<>(1, 1 << Limits.LOG_MAX_UAR);
  final ObjectTable<Umem> umems = new ObjectTable<>(1, 1 << Limits.LOG_MAX_UMEM);
  final ObjectTable<CompletionQueue> completionQueues =
      new ObjectTable<>(0x400, 1 << Limits.LOG_MAX_CQ);
  final ObjectTable<QueuePair> queuePairs;
  final ObjectTable<DcTarget> targets =
      new ObjectTable<>(Limits.FIRST_DCT, Limits.FIRST_DCT + (1 << Limits.LOG_MAX_DCT));
  final ObjectTable<ReceivePool> receivePools = new ObjectTable<>(1, 1 << Limits.LOG_MAX_RMP);

  // Linux keeps shared receive queues of all kinds in one table by their numbers.
  final ObjectTable<XrcSrq> xrcSrqs =
      new ObjectTable<>(
          1 << Limits.LOG_MAX_RMP, (1 << Limits.LOG_MAX_RMP) + (1 << Limits.LOG_MAX_XRC_SRQ));
  final ObjectTable<XrcDomain> xrcDomains = new ObjectTable<>(1, 1 << Limits.LOG_MAX_XRCD);
  final DeviceMemory deviceMemory = new DeviceMemory();
  final MulticastGroups groups = new MulticastGroups();
  final KeyTable keys;
  final Port port;

  /**
   * @param explanations receives explanations that belong to no failed request
   * @param port the device's port
   * @param effort is charged for accesses by key
   */
  public Inventory(Explanations explanations, Port port, Effort effort) {
    this.port = port;
    queuePairs = new ObjectTable<>(port.firstQpn(), 1 << Limits.LOG_MAX_QP, port.numbers());
    keys =
        new KeyTable(
            1 << Limits.LOG_MAX_MKEY, explanations, this::areOfOneClient, effort, port.numbers());
  }

  private boolean areOfOneClient(int oneDomain, int otherDomain) {
    Client one = owner(oneDomain);
    return one != null && one == owner(otherDomain);
  }

  /** The client of the protection domain with this number; null when there is none. */
  public @Nullable Client owner(int pd) {
    ProtectionDomain domain = domains.find(pd);
    return domain == null ? null : domain.owner();
  }

  public ObjectTable<QueuePair> queuePairs() {
    return queuePairs;
  }

  public ObjectTable<CompletionQueue> completionQueues() {
    return completionQueues;
  }

  public ObjectTable<DcTarget> targets() {
    return targets;
  }

  public ObjectTable<XrcSrq> xrcSrqs() {
    return xrcSrqs;
  }

  public MulticastGroups groups() {
    return groups;
  }

  public KeyTable keys() {
    return keys;
  }

  // ---- objects that a command names; refused when they do not exist

  ProtectionDomain domain(int pd) {
    return found(domains.find(pd), "pd 0x%x does not name a protection domain", pd);
  }

  UarPage uarPage(int page) {
    return found(uarPages.find(page), "uar_page %d does not name a UAR page", page);
  }

  Umem umem(String prefix, int id) {
    return found(umems.find(id), "%s_umem_id 0x%x does not name a umem", prefix, id);
  }

  CompletionQueue completionQueue(String field, int cqn) {
    return found(
        completionQueues.find(cqn), "%s 0x%x does not name a completion queue", field, cqn);
  }

  QueuePair queuePair(int qpn) {
    return found(queuePairs.find(qpn), "qpn 0x%x does not name a queue pair", qpn);
  }

  DcTarget target(int dctn) {
    return found(targets.find(dctn), "dctn 0x%x does not name a DC target", dctn);
  }

  ReceivePool receivePool(String field, int rmpn) {
    ReceivePool pool = receivePools.find(rmpn);
    boolean isPool = pool != null && pool.tags() == null;
    return found(isPool ? pool : null, "%s 0x%x does not name a receive pool", field, rmpn);
  }

  /** A receive pool or a tag-matching queue. */
  ReceivePool receiver(String field, int number) {
    return found(
        receivePools.find(number), "%s 0x%x does not name a receive pool or XRQ", field, number);
  }

  TagMatching tagMatching(int xrqn) {
    ReceivePool pool = receivePools.find(xrqn);
    return found(pool == null ? null : pool.tags(), "xrqn 0x%x does not name an XRQ", xrqn);
  }

  XrcSrq xrcSrq(int srqn) {
    return found(xrcSrqs.find(srqn), "xrc_srqn 0x%x does not name an XRC SRQ", srqn);
  }

  XrcDomain xrcDomain(int xrcd) {
    return found(xrcDomains.find(xrcd), "xrcd 0x%x does not name an XRC domain", xrcd);
  }

  MemoryKey key(int index) {
    return found(keys.atIndex(index), "mkey_index 0x%x does not name a memory key", index);
  }

  // ---- listing

  /** The slots of one kind of objects; some are empty. */
  private record Shelf(IntSupplier slots, IntFunction<@Nullable String> line) {}

  private List<Shelf> shelves(HcaHosting.ObjectFilter filter) {
    return List.of(
        shelf(filter, ObjectKind.PROTECTION_DOMAIN, domains, ProtectionDomain::number),
        shelf(filter, ObjectKind.XRC_DOMAIN, xrcDomains, XrcDomain::number),
        shelf(filter, ObjectKind.UAR_PAGE, uarPages, UarPage::number, Inventory::describe),
        shelf(filter, ObjectKind.UMEM, umems, Umem::number, Inventory::describe),
        new Shelf(
            deviceMemory::pages,
            page ->
                filter.takes(ObjectKind.DEVICE_MEMORY, DeviceMemory.number(page))
                    ? deviceMemory.describe(page)
                    : null),
        new Shelf(
            keys::slots,
            index -> {
              MemoryKey key = keys.atIndex(index);
              return key == null || !filter.takes(ObjectKind.MEMORY_KEY, key.key() >>> 8)
                  ? null
                  : describe(key);
            }),
        shelf(filter, ObjectKind.COMPLETION_QUEUE, completionQueues, CompletionQueue::number),
        shelf(filter, ObjectKind.RECEIVE_POOL, receivePools, ReceivePool::number),
        shelf(filter, ObjectKind.XRC_SRQ, xrcSrqs, XrcSrq::number),
        shelf(filter, ObjectKind.QUEUE_PAIR, queuePairs, QueuePair::number, this::describe),
        shelf(filter, ObjectKind.DC_TARGET, targets, DcTarget::number));
  }

  private static <T> Shelf shelf(
      HcaHosting.ObjectFilter filter,
      ObjectKind kind,
      ObjectTable<T> table,
      ToIntFunction<T> number) {
    return shelf(filter, kind, table, number, Object::toString);
  }

  private static <T> Shelf shelf(
      HcaHosting.ObjectFilter filter,
      ObjectKind kind,
      ObjectTable<T> table,
      ToIntFunction<T> number,
      Function<T, String> line) {
    return new Shelf(
        table::slots,
        slot -> {
          T object = table.atSlot(slot);
          return object == null || !filter.takes(kind, number.applyAsInt(object))
              ? null
              : line(kind, number.applyAsInt(object), () -> line.apply(object));
        });
  }

  /** The line about an object, or that it has none, because its client truncated its memory. */
  private static String line(ObjectKind kind, int number, Supplier<String> line) {
    Memory.dropFault();
    try {
      String text = line.get();
      Memory.raiseFault();
      return text;
    } catch (InternalError gone) {
      return "%s 0x%x: its memory is gone, most likely because a mapped file was truncated"
          .formatted(kind, number);
    }
  }

  private static String describe(UarPage page) {
    return "UAR %d: %d users".formatted(page.number(), page.users());
  }

  private String describe(QueuePair queuePair) {
    UarPage page = uarPages.find(queuePair.uarPage());
    return queuePair.describe(page != null && page.holds(queuePair::isRungBy));
  }

  private static String describe(Umem umem) {
    return "umem %d: %d bytes, %d users".formatted(umem.number(), umem.length(), umem.users());
  }

  private static String describe(MemoryKey key) {
    return "mkey 0x%x: PD 0x%x, [0x%x, 0x%x)"
        .formatted(key.key(), key.pd(), key.start(), key.start() + key.length());
  }

  /** The position at which {@link #lines} continues. */
  public static final class Place {
    private int shelf;
    private int slot;
  }

  /**
   * Adds lines for some of the objects, one each. All at once would hold the device up.
   *
   * @param from where to continue; a new one to begin
   * @param filter selects the objects
   * @return true while more are left
   */
  public boolean lines(Place from, HcaHosting.ObjectFilter filter, List<String> out) {
    List<Shelf> all = shelves(filter);
    int enough = out.size() + LINES_AT_ONCE;
    for (int looks = 0; looks < LOOKS_AT_ONCE && out.size() < enough; looks++) {
      if (from.shelf == all.size()) {
        return false;
      }
      Shelf shelf = all.get(from.shelf);
      if (from.slot >= shelf.slots().getAsInt()) {
        from.shelf++;
        from.slot = 0;
        continue;
      }
      String line = shelf.line().apply(from.slot++);
      if (line != null) {
        out.add(line);
      }
    }
    return true;
  }
}
