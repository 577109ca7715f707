package dev.bluebell.server;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.ForwardingHosting;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One client's view of a device that charges each object to the client's account until it is
 * closed. Closing this does not close the device. Thread-safe.
 */
public final class MeteredHca extends ForwardingHca {
  private final Account account;
  private final long largestDeviceMemory;
  private final int logMostStreams;

  public MeteredHca(Hca hca, Account account) {
    super(hca);
    this.account = account;
    largestDeviceMemory =
        CapabilityType.query(hca::execute, CapabilityType.DEV_MEM).get(DeviceMemCap.MAX_MEMIC_SIZE);
    logMostStreams =
        CapabilityType.query(hca::execute, CapabilityType.GENERAL)
            .getInt(CmdHcaCap.LOG_MAX_DCI_STREAM_CHANNELS);
  }

  /** The amounts that one object took from the account. */
  private static final class Price {
    private final List<Account.Hold> holds = new ArrayList<>();

    void refund() {
      holds.forEach(Account.Hold::close);
    }
  }

  private Price pay(Quota quota) {
    Price price = new Price();
    price.holds.add(account.take(quota));
    return price;
  }

  private <T> T made(Price price, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (RuntimeException | Error e) {
      price.refund();
      throw e;
    }
  }

  private static HcaObject own(HcaObject object) {
    return object instanceof Ending.OfObject ending ? ending.object() : object;
  }

  private static HcaMemory own(HcaMemory memory) {
    return memory instanceof Ending.OfMemory ending ? ending.memory() : memory;
  }

  // ---- objects of commands

  @Override
  public HcaObject create(byte[] command) {
    Price price = price(command);
    return made(price, () -> new Ending.OfObject(super.create(command), price::refund));
  }

  private Price price(byte[] command) {
    Optional<ObjectKind> kind = ObjectKind.createdBy(View.over(command).getInt(CmdIn.OPCODE));
    if (kind.isEmpty()) {
      return new Price();
    }
    Price price = pay(quota(kind.get()));
    add(price, Quota.KEY_ENTRIES, entries(command));
    add(price, Quota.STREAMS, streams(command));
    add(price, Quota.DEVICE_MEMORY, deviceMemory(command));
    return price;
  }

  private void add(Price price, Quota quota, long amount) {
    if (amount > 0) {
      made(price, () -> price.holds.add(account.take(quota, amount)));
    }
  }

  private static Quota quota(ObjectKind kind) {
    return switch (kind) {
      case QUEUE_PAIR -> Quota.QUEUE_PAIRS;
      case DC_TARGET -> Quota.DC_TARGETS;
      case TAG_MATCHING_QUEUE -> Quota.TAG_MATCHING_QUEUES;
      case XRC_SRQ, RECEIVE_POOL -> Quota.RECEIVE_QUEUES;
      case COMPLETION_QUEUE -> Quota.COMPLETION_QUEUES;
      case MEMORY_KEY -> Quota.KEYS;
      case XRC_DOMAIN, PROTECTION_DOMAIN -> Quota.DOMAINS;
      case UAR_PAGE -> Quota.UARS;
      case UMEM, DEVICE_MEMORY -> Quota.UMEMS;
    };
  }

  /** Entries of the key that a command creates, 32 bits; 0 for keys that name no others. */
  private static long entries(byte[] command) {
    View in = View.over(command);
    if (in.getInt(CmdIn.OPCODE) != CommandOpcode.CREATE_MKEY
        || command.length < CreateMkeyIn.STRUCTURE.bytes()) {
      return 0;
    }
    View mkc = in.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
    int mode = Mkc.accessMode(mkc);
    return mode == Mkc.ACCESS_MODE_KLM || mode == Mkc.ACCESS_MODE_KSM
        ? mkc.get(Mkc.TRANSLATIONS_OCTWORD_SIZE)
        : 0;
  }

  /**
   * Streams of the DC initiator that a command creates; 0 for queue pairs without streams, and for
   * stream counts that the device refuses.
   */
  private long streams(byte[] command) {
    View in = View.over(command);
    if (in.getInt(CmdIn.OPCODE) != CommandOpcode.CREATE_QP
        || command.length < CreateQpIn.STRUCTURE.bytes()) {
      return 0;
    }
    View qpc = in.at(CreateQpIn.QPC);
    int log = qpc.getInt(Qpc.LOG_NUM_DCI_STREAM_CHANNELS);
    boolean streams = qpc.getInt(Qpc.ST) == ServiceType.DCI.code() && log > 0;
    return streams && log <= logMostStreams ? 1L << log : 0;
  }

  /**
   * Bytes of device memory, in whole pages, that a command allocates; 0 for other commands, and for
   * sizes that the device refuses.
   */
  private long deviceMemory(byte[] command) {
    View in = View.over(command);
    if (in.getInt(CmdIn.OPCODE) != CommandOpcode.ALLOC_MEMIC
        || command.length < AllocMemicIn.STRUCTURE.bytes()) {
      return 0;
    }
    long bytes = in.get(AllocMemicIn.MEMIC_SIZE);
    return bytes < 0 || bytes > largestDeviceMemory ? 0 : -(-bytes & -SharedMemory.PAGE_BYTES);
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    Price price = pay(Quota.DOMAINS);
    return made(price, () -> new Ending.OfObject(super.allocateProtectionDomain(), price::refund));
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    Price price = pay(Quota.UMEMS);
    add(price, Quota.DEVICE_MEMORY, deviceMemory(command));
    return made(
        price,
        () -> new Ending.OfObject(super.allocateDeviceMemory(command, window), price::refund));
  }

  // ---- pages and memory

  @Override
  public HcaUar allocateUar() {
    Price price = pay(Quota.UARS);
    return made(price, () -> new Ending.OfUar(super.allocateUar(), price::refund));
  }

  @Override
  public HcaUar allocateBlueFlameUar() {
    Price price = pay(Quota.UARS);
    return made(price, () -> new Ending.OfUar(super.allocateBlueFlameUar(), price::refund));
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    Price price = pay(Quota.UMEMS);
    return made(price, () -> new Ending.OfUmem(super.registerUmem(memory), price::refund));
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    Price price = pay(Quota.KEYS);
    return made(
        price,
        () ->
            new Ending.OfMemory(
                super.registerMemory(own(domain), memory, address, access), price::refund));
  }

  // ---- hosting

  @Override
  public Optional<HcaHosting> hosting() {
    return super.hosting().map(MeteredHosting::new);
  }

  private final class MeteredHosting extends ForwardingHosting {
    MeteredHosting(HcaHosting hosting) {
      super(hosting);
    }

    @Override
    public HcaUar allocateUar(MemorySegment page) {
      Price price = pay(Quota.UARS);
      return made(price, () -> new Ending.OfUar(super.allocateUar(page), price::refund));
    }

    @Override
    public HcaMemory registerMemory(
        HcaObject domain,
        HcaForeignMemory memory,
        long from,
        long length,
        long address,
        int access) {
      Price price = pay(Quota.KEYS);
      return made(
          price,
          () ->
              new Ending.OfMemory(
                  super.registerMemory(own(domain), memory, from, length, address, access),
                  price::refund));
    }

    @Override
    public void reregisterMemory(
        HcaMemory registered,
        HcaObject domain,
        HcaForeignMemory memory,
        long from,
        long length,
        long address,
        int access) {
      super.reregisterMemory(own(registered), own(domain), memory, from, length, address, access);
    }

    @Override
    public HcaUmem registerUmem(HcaForeignMemory memory, long from, long length) {
      Price price = pay(Quota.UMEMS);
      return made(
          price, () -> new Ending.OfUmem(super.registerUmem(memory, from, length), price::refund));
    }
  }

  @Override
  public void close() {}
}
