package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.found;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MemoryCommands.Klm;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyOut;
import dev.bluebell.hca.command.MkeyCommands.DestroyMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.doorbell.Doorbells;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.translation.KeyUpdate;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * CREATE_MKEY, QUERY_MKEY, DESTROY_MKEY, and the registration of memory, which makes a key as the
 * kernel does.
 */
final class MkeyCommands {
  private static final int MIN_LOG_PAGE_SIZE = 12;

  /** Bits that a registration may have besides its rights. The device never pins memory. */
  private static final int PERMISSIONS =
      HcaAccess.RELAXED_ORDERING | HcaAccess.ON_DEMAND | HcaAccess.HUGE_PAGES;

  /** Page addresses, of 8 bytes each, per 16-byte unit of a translation. */
  private static final int MTTS_PER_OCTWORD = 2;

  /**
   * The most turns of a client's work before one of its keys ends: at most 4,096 messages or 16
   * MiB.
   */
  private static final int TURNS_BEFORE_END = 64;

  private final Engine engine;
  private final Doorbells doorbells;
  private final Inventory inventory;

  // Entries that all indirect keys together may have.
  private long entriesInUse;

  MkeyCommands(Engine engine, Doorbells doorbells, Inventory inventory) {
    this.engine = engine;
    this.doorbells = doorbells;
    this.inventory = inventory;
  }

  View create(View in) {
    View mkc = in.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
    int mode = Mkc.accessMode(mkc);
    boolean indirect = mode == Mkc.ACCESS_MODE_KLM || mode == Mkc.ACCESS_MODE_KSM;
    requireValid(
        indirect || mode == Mkc.ACCESS_MODE_MTT || mode == Mkc.ACCESS_MODE_MEMIC,
        "access_mode %d (access_mode_4_2, access_mode_1_0) is not supported: this device has the"
            + " modes MTT (1), over a umem, KLM (2) and KSM (3), over other keys, and MEMIC (5)",
        mode);
    requireValid(
        !mkc.isSet(Mkc.FREE) || indirect && mkc.isSet(Mkc.UMR_EN),
        "free is 1: only keys of access_mode KLM or KSM with umr_en may be created free");
    requireValid(!mkc.isSet(Mkc.LENGTH64), "length64 is 1: this device takes the length from len");
    ProtectionDomain domain = inventory.domain(mkc.getInt(Mkc.PD));
    if (indirect) {
      return createIndirect(in, mkc, domain);
    }
    Target target = mode == Mkc.ACCESS_MODE_MEMIC ? deviceMemory(in, mkc) : umem(in, mkc);
    byte[] context = copy(mkc);
    int index = allocate();
    put(
        new MemoryKey(
            index << 8 | mkc.getInt(Mkc.MKEY_7_0),
            context,
            target.umem(),
            target.offset(),
            target.start()),
        domain);
    return View.of(CreateMkeyOut.STRUCTURE).set(CreateMkeyOut.MKEY_INDEX, index);
  }

  private static byte[] copy(View mkc) {
    View context = View.of(Mkc.STRUCTURE);
    mkc.copyTo(context, Mkc.STRUCTURE.bytes());
    return context.bytes();
  }

  // ---- indirect keys

  private View createIndirect(View in, View mkc, ProtectionDomain domain) {
    int mode = mkc.getInt(Mkc.ACCESS_MODE_1_0);
    requireValid(
        !in.isSet(CreateMkeyIn.MKEY_UMEM_VALID),
        "mkey_umem_valid is 1: a key of access_mode %d (access_mode_4_2, access_mode_1_0), KLM (2)"
            + " or KSM (3), names other keys, not a umem",
        mode);
    long entries = mkc.get(Mkc.TRANSLATIONS_OCTWORD_SIZE);
    requireValid(
        entries > 0 && entries <= 1 << Limits.LOG_MAX_KLM_LIST_SIZE,
        "translations_octword_size is %d: a key that names other keys has from 1 to %d entries"
            + " (log_max_klm_list_size)",
        entries,
        1 << Limits.LOG_MAX_KLM_LIST_SIZE);
    int given = entriesGiven(in, mkc, entries);
    require(
        entriesInUse + entries <= 1L << Limits.LOG_MAX_ENTRIES,
        CommandStatus.NO_RES,
        "the memory keys already have %d translation entries of at most %d",
        entriesInUse,
        1L << Limits.LOG_MAX_ENTRIES);
    int index = allocate();
    MemoryKey key =
        MemoryKey.indirect(index << 8 | mkc.getInt(Mkc.MKEY_7_0), copy(mkc), (int) entries);
    fill(key, in, given);
    put(key, domain);
    return View.of(CreateMkeyOut.STRUCTURE).set(CreateMkeyOut.MKEY_INDEX, index);
  }

  /** Number of entries in the command; 0 for a free key. */
  private static int entriesGiven(View in, View mkc, long entries) {
    if (mkc.isSet(Mkc.FREE)) {
      return 0;
    }
    long given = in.get(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE);
    int room = (in.bytes().length - CreateMkeyIn.STRUCTURE.bytes()) / Klm.STRUCTURE.bytes();
    requireValid(
        given > 0 && given <= entries && given <= room,
        "translations_octword_actual_size is %d: the command contains %d entries, and"
            + " translations_octword_size of the key is %d",
        given,
        room,
        entries);
    return (int) given;
  }

  private static void fill(MemoryKey key, View in, int given) {
    if (given == 0) {
      return;
    }
    int bytes = given * Klm.STRUCTURE.bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entries = arena.allocate(bytes, Long.BYTES);
      MemorySegment.copy(
          in.bytes(), CreateMkeyIn.STRUCTURE.bytes(), entries, ValueLayout.JAVA_BYTE, 0, bytes);
      requireValid(
          key.isOfPages() || !KeyUpdate.isRepeated(entries.address()),
          "the first entry is a repeat block, which only a UMR may write");
      KeyUpdate.fill(key, entries.address(), given);
    }
  }

  /**
   * The memory of a key.
   *
   * @param offset of its first byte
   * @param start the address by which work requests name that byte
   */
  private record Target(Umem umem, long offset, long start) {}

  private Target umem(View in, View mkc) {
    requireValid(
        in.isSet(CreateMkeyIn.MKEY_UMEM_VALID),
        "mkey_umem_valid is 0: a key of access_mode 1 (access_mode_4_2, access_mode_1_0), MTT,"
            + " names its memory by a umem");
    long offset = in.get(CreateMkeyIn.MKEY_UMEM_OFFSET);
    Placement memory =
        Placement.of(
            inventory,
            Placement.MKEY,
            "mkey_umem_offset, len",
            true,
            in.getInt(CreateMkeyIn.MKEY_UMEM_ID),
            offset,
            mkc.get(Mkc.LEN),
            1);
    checkTranslation(mkc);
    return new Target(memory.umem(), offset, mkc.get(Mkc.START_ADDR));
  }

  /** Checks the sizes by which a card reads its translation; this device does not use them. */
  private static void checkTranslation(View mkc) {
    int logPage = mkc.getInt(Mkc.LOG_PAGE_SIZE);
    requireValid(
        logPage >= MIN_LOG_PAGE_SIZE,
        "log_page_size %d: the pages of a key of access_mode 1, MTT, have 2^%d bytes or more",
        logPage,
        MIN_LOG_PAGE_SIZE);
    long page = 1L << logPage;
    long start = mkc.get(Mkc.START_ADDR);
    long length = mkc.get(Mkc.LEN);
    long pages = Math.ceilDiv((start & page - 1) + length, page);
    long octwords = Math.ceilDiv(pages, MTTS_PER_OCTWORD);
    long given = mkc.get(Mkc.TRANSLATIONS_OCTWORD_SIZE);
    requireValid(
        given >= octwords,
        "translations_octword_size is %d: len %d from start_addr 0x%x is %d pages of 2^%d bytes"
            + " (log_page_size), whose addresses take %d octwords",
        given,
        length,
        start,
        pages,
        logPage,
        octwords);
  }

  // start_addr is an address in the BAR; work requests name the key's memory from 0.
  private Target deviceMemory(View in, View mkc) {
    requireValid(
        !in.isSet(CreateMkeyIn.MKEY_UMEM_VALID),
        "mkey_umem_valid is 1: a key of access_mode 5 (access_mode_4_2, access_mode_1_0), MEMIC,"
            + " names device memory by start_addr, not a umem");
    long address = mkc.get(Mkc.START_ADDR);
    long length = mkc.get(Mkc.LEN);
    DeviceMemory.Place place =
        found(
            inventory.deviceMemory.find(address, length),
            "start_addr 0x%x with len %d is not in one piece of device memory",
            address,
            length);
    return new Target(place.umem(), place.offset(), 0);
  }

  /** Makes a key for memory that a process registers; returns it, as lkey and rkey. */
  int register(int pd, Umem umem, long start, int access) {
    ProtectionDomain domain = inventory.domain(pd);
    checkAccess(access);
    int index = allocate();
    int key = index << 8 | inventory.keys.nextTag(index);
    put(new MemoryKey(key, context(key, pd, umem, start, access), umem, 0, start), domain);
    return key;
  }

  /** Changes the memory and rights of a key of {@link #register}. */
  void reregister(int key, int pd, Umem umem, long start, int access) {
    checkAccess(access);
    MemoryKey old = inventory.key(key >>> 8);
    finish(old);
    ProtectionDomain domain = inventory.domain(pd);
    put(new MemoryKey(key, context(key, pd, umem, start, access), umem, 0, start), domain);
    forget(old);
  }

  private static void checkAccess(int access) {
    requireValid(
        (access & ~(HcaAccess.ALL | PERMISSIONS)) == 0,
        "access 0x%x has bits that are neither access rights nor permissions",
        access);
    requireValid(
        (access & HcaAccess.ON_DEMAND) == 0 || (access & HcaAccess.REMOTE_INVALIDATE) == 0,
        "access 0x%x asks for on-demand paging and remote invalidation, which no card does for the"
            + " same memory: leave one of the two out",
        access);
  }

  private static byte[] context(int key, int pd, Umem umem, long start, int access) {
    return HcaAccess.writeTo(View.of(Mkc.STRUCTURE), access)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_MTT)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.MKEY_7_0, key & 0xff)
        .set(Mkc.PD, pd)
        .set(Mkc.START_ADDR, start)
        .set(Mkc.LEN, umem.length())
        .bytes();
  }

  private int allocate() {
    int index = inventory.keys.allocateIndex();
    require(
        index >= 0,
        CommandStatus.NO_RES,
        "all memory keys are in use (log_max_mkey %d)",
        Limits.LOG_MAX_MKEY);
    return index;
  }

  private void put(MemoryKey key, ProtectionDomain domain) {
    inventory.keys.put(key);
    use(key, domain, 1);
  }

  /**
   * Changes the number of users of what a key uses.
   *
   * @param delta 1 for a new key, −1 for one that ends
   */
  private void use(MemoryKey key, ProtectionDomain domain, int delta) {
    Umem umem = key.umem();
    if (umem != null) {
      umem.use(delta);
    } else {
      entriesInUse += (long) delta * key.capacity();
    }
    domain.use(delta);
  }

  View query(View in) {
    View out = View.of(QueryMkeyOut.STRUCTURE);
    View.over(inventory.key(in.getInt(QueryMkeyIn.MKEY_INDEX)).context())
        .copyTo(out.at(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY), Mkc.STRUCTURE.bytes());
    return out;
  }

  View destroy(View in) {
    MemoryKey key = inventory.key(in.getInt(DestroyMkeyIn.MKEY_INDEX));
    finish(key);
    inventory.keys.remove(key);
    forget(key);
    return Firmware.ok();
  }

  /**
   * Executes rung requests, up to a limit, before a key ends: a card would have fetched them by
   * then.
   */
  private void finish(MemoryKey key) {
    Client owner = inventory.domain(key.pd()).owner();
    doorbells.poll(owner);
    engine.settle(owner, TURNS_BEFORE_END);
  }

  private void forget(MemoryKey key) {
    use(key, inventory.domain(key.pd()), -1);
  }
}
