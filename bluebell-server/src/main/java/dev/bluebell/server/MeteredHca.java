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
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CreateMkeyIn;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.View;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A device as one program has it, which takes each object from the program's account until it is
 * closed. Closing this does not close the device. Thread-safe.
 */
public final class MeteredHca extends ForwardingHca {
  // Access modes of keys that name other keys, KLM and KSM.
  private static final int MODE_KLM = 2;
  private static final int MODE_KSM = 3;

  private final Account account;

  public MeteredHca(Hca hca, Account account) {
    super(hca);
    this.account = account;
  }

  /** What one object took from the account. */
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
    return object instanceof Metered metered ? metered.object : object;
  }

  private static HcaMemory own(HcaMemory memory) {
    return memory instanceof MeteredMemory metered ? metered.memory() : memory;
  }

  // ---- objects of commands

  @Override
  public HcaObject create(byte[] command) {
    Price price = price(command);
    return made(price, () -> new Metered(super.create(command), price));
  }

  private Price price(byte[] command) {
    Optional<ObjectKind> kind = ObjectKind.createdBy(View.over(command).getInt(CmdIn.OPCODE));
    if (kind.isEmpty()) {
      return new Price();
    }
    Price price = pay(quota(kind.get()));
    long entries = entries(command);
    if (entries > 0) {
      made(price, () -> price.holds.add(account.take(Quota.KEY_ENTRIES, entries)));
    }
    return price;
  }

  private static Quota quota(ObjectKind kind) {
    return switch (kind) {
      case QUEUE_PAIR -> Quota.QUEUE_PAIRS;
      case DC_TARGET -> Quota.DC_TARGETS;
      case TAG_MATCHING_QUEUE, XRC_SRQ, RECEIVE_POOL -> Quota.RECEIVE_QUEUES;
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
    int mode = mkc.getInt(Mkc.ACCESS_MODE_4_2) << 2 | mkc.getInt(Mkc.ACCESS_MODE_1_0);
    return mode == MODE_KLM || mode == MODE_KSM ? mkc.get(Mkc.TRANSLATIONS_OCTWORD_SIZE) : 0;
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    Price price = pay(Quota.DOMAINS);
    return made(price, () -> new Metered(super.allocateProtectionDomain(), price));
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    Price price = pay(Quota.UMEMS);
    return made(price, () -> new Metered(super.allocateDeviceMemory(command, window), price));
  }

  /** An object and its price. */
  private static final class Metered implements HcaObject {
    private final HcaObject object;
    private final Price price;

    Metered(HcaObject object, Price price) {
      this.object = object;
      this.price = price;
    }

    @Override
    public int number() {
      return object.number();
    }

    @Override
    public byte[] output() {
      return object.output();
    }

    @Override
    public byte[] modify(byte[] command) {
      return object.modify(command);
    }

    @Override
    public byte[] query(byte[] command) {
      return object.query(command);
    }

    @Override
    public void close() {
      object.close();
      price.refund();
    }
  }

  // ---- pages and memory

  @Override
  public HcaUar allocateUar() {
    Price price = pay(Quota.UARS);
    return made(price, () -> new MeteredUar(super.allocateUar(), price));
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    Price price = pay(Quota.UMEMS);
    return made(price, () -> new MeteredUmem(super.registerUmem(memory), price));
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    Price price = pay(Quota.KEYS);
    return made(
        price,
        () -> new MeteredMemory(super.registerMemory(own(domain), memory, address, access), price));
  }

  private record MeteredUar(HcaUar page, Price price) implements HcaUar {
    @Override
    public int number() {
      return page.number();
    }

    @Override
    public long address() {
      return page.address();
    }

    @Override
    public void close() {
      page.close();
      price.refund();
    }
  }

  private record MeteredUmem(HcaUmem umem, Price price) implements HcaUmem {
    @Override
    public int number() {
      return umem.number();
    }

    @Override
    public void close() {
      umem.close();
      price.refund();
    }
  }

  private record MeteredMemory(HcaMemory memory, Price price) implements HcaMemory {
    @Override
    public int lkey() {
      return memory.lkey();
    }

    @Override
    public int rkey() {
      return memory.rkey();
    }

    @Override
    public void close() {
      memory.close();
      price.refund();
    }
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
      return made(price, () -> new MeteredUar(super.allocateUar(page), price));
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
              new MeteredMemory(
                  super.registerMemory(own(domain), memory, from, length, address, access), price));
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
      return made(price, () -> new MeteredUmem(super.registerUmem(memory, from, length), price));
    }
  }

  @Override
  public void close() {}
}
