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
import java.util.Optional;
import java.util.function.Function;

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

  /**
   * Makes an object that is charged for until it is closed.
   *
   * @param maker makes it from the action that ends the charge
   */
  private static <T> T charged(Account.Hold hold, Function<Runnable, T> maker) {
    try {
      return maker.apply(hold::close);
    } catch (RuntimeException | Error e) {
      hold.close();
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
    Optional<ObjectKind> kind = ObjectKind.createdBy(View.over(command).getInt(CmdIn.OPCODE));
    return kind.isEmpty()
        ? super.create(command)
        : charged(
            price(kind.get(), command),
            refund -> new Ending.OfObject(super.create(command), refund));
  }

  private Account.Hold price(ObjectKind kind, byte[] command) {
    return account
        .take(quota(kind))
        .and(Quota.KEY_ENTRIES, entries(command))
        .and(Quota.STREAMS, streams(command))
        .and(Quota.DEVICE_MEMORY, deviceMemory(command));
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
    return charged(
        account.take(Quota.DOMAINS),
        refund -> new Ending.OfObject(super.allocateProtectionDomain(), refund));
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    return charged(
        account.take(Quota.UMEMS).and(Quota.DEVICE_MEMORY, deviceMemory(command)),
        refund -> new Ending.OfObject(super.allocateDeviceMemory(command, window), refund));
  }

  // ---- pages and memory

  @Override
  public HcaUar allocateUar() {
    return charged(
        account.take(Quota.UARS), refund -> new Ending.OfUar(super.allocateUar(), refund));
  }

  @Override
  public HcaUar allocateBlueFlameUar() {
    return charged(
        account.take(Quota.UARS), refund -> new Ending.OfUar(super.allocateBlueFlameUar(), refund));
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    return charged(
        account.take(Quota.UMEMS), refund -> new Ending.OfUmem(super.registerUmem(memory), refund));
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    return charged(
        account.take(Quota.KEYS),
        refund ->
            new Ending.OfMemory(
                super.registerMemory(own(domain), memory, address, access), refund));
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
      return charged(
          account.take(Quota.UARS), refund -> new Ending.OfUar(super.allocateUar(page), refund));
    }

    @Override
    public HcaMemory registerMemory(
        HcaObject domain,
        HcaForeignMemory memory,
        long from,
        long length,
        long address,
        int access) {
      return charged(
          account.take(Quota.KEYS),
          refund ->
              new Ending.OfMemory(
                  super.registerMemory(own(domain), memory, from, length, address, access),
                  refund));
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
      return charged(
          account.take(Quota.UMEMS),
          refund -> new Ending.OfUmem(super.registerUmem(memory, from, length), refund));
    }
  }

  @Override
  public void close() {}
}
