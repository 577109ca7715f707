package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.found;
import static dev.bluebell.softnic.command.CommandFailure.require;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CreateMkeyIn;
import dev.bluebell.hca.command.CreateMkeyOut;
import dev.bluebell.hca.command.DestroyMkeyIn;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.QueryMkeyIn;
import dev.bluebell.hca.command.QueryMkeyOut;
import dev.bluebell.hca.command.View;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;

/**
 * CREATE_MKEY, QUERY_MKEY, DESTROY_MKEY, and the registration of memory, which makes a key as the
 * kernel does.
 */
final class MkeyCommands {
  private final Inventory inventory;

  MkeyCommands(Inventory inventory) {
    this.inventory = inventory;
  }

  View create(View in) {
    View mkc = in.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
    int mode = mkc.getInt(Mkc.ACCESS_MODE_4_2) << 2 | mkc.getInt(Mkc.ACCESS_MODE_1_0);
    require(
        mode == Mkc.ACCESS_MODE_MTT || mode == Mkc.ACCESS_MODE_MEMIC,
        CommandStatus.BAD_PARAM,
        "access_mode %d (access_mode_4_2, access_mode_1_0): this device has keys of the modes MTT"
            + " (1), over a umem, and MEMIC (5) only",
        mode);
    require(
        !mkc.isSet(Mkc.FREE),
        CommandStatus.BAD_PARAM,
        "free is 1: this device has no keys that are filled in later");
    require(
        !mkc.isSet(Mkc.LENGTH64),
        CommandStatus.BAD_PARAM,
        "length64 is 1: a key has the length that len says");
    ProtectionDomain domain = inventory.domain(mkc.getInt(Mkc.PD));
    Target target = mode == Mkc.ACCESS_MODE_MEMIC ? deviceMemory(in, mkc) : umem(in, mkc);
    View context = View.of(Mkc.STRUCTURE);
    mkc.copyTo(context, Mkc.STRUCTURE.bytes());
    int index = allocate();
    put(
        new MemoryKey(
            index << 8 | mkc.getInt(Mkc.MKEY_7_0),
            context.bytes(),
            target.umem(),
            target.offset(),
            target.start()),
        domain);
    return View.of(CreateMkeyOut.STRUCTURE).set(CreateMkeyOut.MKEY_INDEX, index);
  }

  /**
   * The memory of a key.
   *
   * @param offset of its first byte
   * @param start the address by which work requests name that
   */
  private record Target(Umem umem, long offset, long start) {}

  private Target umem(View in, View mkc) {
    require(
        in.isSet(CreateMkeyIn.MKEY_UMEM_VALID),
        CommandStatus.BAD_PARAM,
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
    return new Target(memory.umem(), offset, mkc.get(Mkc.START_ADDR));
  }

  // What start_addr names is a place in the BAR; work requests name the key's memory from 0.
  private Target deviceMemory(View in, View mkc) {
    require(
        !in.isSet(CreateMkeyIn.MKEY_UMEM_VALID),
        CommandStatus.BAD_PARAM,
        "mkey_umem_valid is 1: a key of access_mode 5 (access_mode_4_2, access_mode_1_0), MEMIC,"
            + " names device memory by start_addr, and no umem");
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

  /** Makes a key for memory that a process registers: its lkey and rkey. */
  int register(int pd, Umem umem, long start, int access) {
    ProtectionDomain domain = inventory.domain(pd);
    checkAccess(access);
    int index = allocate();
    int key = index << 8 | inventory.keys.nextTag(index);
    put(new MemoryKey(key, context(key, pd, umem, start, access), umem, 0, start), domain);
    return key;
  }

  /** Lets a key of {@link #register} mean something else from now on. */
  void reregister(int key, int pd, Umem umem, long start, int access) {
    ProtectionDomain domain = inventory.domain(pd);
    checkAccess(access);
    MemoryKey old = inventory.key(key >>> 8);
    put(new MemoryKey(key, context(key, pd, umem, start, access), umem, 0, start), domain);
    forget(old);
  }

  private static void checkAccess(int access) {
    require(
        (access & ~(HcaAccess.ALL | HcaAccess.RELAXED_ORDERING)) == 0,
        CommandStatus.BAD_PARAM,
        "access 0x%x has bits that are no right",
        access);
  }

  private static byte[] context(int key, int pd, Umem umem, long start, int access) {
    View mkc =
        View.of(Mkc.STRUCTURE)
            .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_MTT)
            .set(Mkc.QPN, Mkc.ANY_QPN)
            .set(Mkc.MKEY_7_0, key & 0xff);
    mkc.set(Mkc.PD, pd).set(Mkc.START_ADDR, start).set(Mkc.LEN, umem.length()).set(Mkc.LR, true);
    mkc.set(Mkc.LW, (access & HcaAccess.LOCAL_WRITE) != 0)
        .set(Mkc.RR, (access & HcaAccess.REMOTE_READ) != 0);
    mkc.set(Mkc.RW, (access & HcaAccess.REMOTE_WRITE) != 0)
        .set(Mkc.A, (access & HcaAccess.REMOTE_ATOMIC) != 0)
        .set(Mkc.EN_RINVAL, (access & HcaAccess.REMOTE_INVALIDATE) != 0);
    boolean relaxed = (access & HcaAccess.RELAXED_ORDERING) != 0;
    mkc.set(Mkc.RELAXED_ORDERING_WRITE, relaxed).set(Mkc.RELAXED_ORDERING_READ, relaxed);
    return mkc.bytes();
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
    key.umem().use();
    domain.use(1);
  }

  View query(View in) {
    View out = View.of(QueryMkeyOut.STRUCTURE);
    View.over(inventory.key(in.getInt(QueryMkeyIn.MKEY_INDEX)).context())
        .copyTo(out.at(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY), Mkc.STRUCTURE.bytes());
    return out;
  }

  View destroy(View in) {
    MemoryKey key = inventory.key(in.getInt(DestroyMkeyIn.MKEY_INDEX));
    inventory.keys.remove(key);
    forget(key);
    return Firmware.ok();
  }

  private void forget(MemoryKey key) {
    key.umem().release();
    inventory.domain(key.pd()).use(-1);
  }
}
