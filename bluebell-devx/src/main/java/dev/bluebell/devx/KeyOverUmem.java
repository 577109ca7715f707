package dev.bluebell.devx;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory registered by a command-created key, for rights without a flag in the kernel's
 * registration.
 *
 * @param umem the memory
 * @param key the key's object
 * @param tag the low 8 bits of the key
 */
record KeyOverUmem(Umem umem, HcaObject key, int tag) implements HcaMemory {
  private static final int LOG_PAGE_BYTES = 12;

  /** Page addresses (8 bytes each) per 16-byte unit of the translation table. */
  private static final int PAGES_PER_OCTWORD = 2;

  /** An old key must not match a new registration. */
  private static final AtomicInteger TAGS = new AtomicInteger();

  /**
   * Registers memory.
   *
   * @param domain number of a protection domain
   * @param address of the first byte in work requests
   * @param access bits of {@link HcaAccess}
   */
  static KeyOverUmem register(
      UverbsFile file,
      DeviceEvents events,
      int domain,
      MemorySegment memory,
      long address,
      int access) {
    if ((memory.address() - address) % UverbsFile.PAGE_BYTES != 0) {
      throw new IllegalArgumentException(
          "memory at 0x%x can't have address 0x%x in requests: their offsets in a page must be equal"
              .formatted(memory.address(), address));
    }
    Umem umem = Umem.register(file, memory, (access & HcaAccess.LOCAL_WRITE) != 0);
    int tag = TAGS.getAndIncrement() & 0xff;
    try {
      byte[] command = command(umem, domain, memory.byteSize(), address, access, tag);
      return new KeyOverUmem(umem, DevxObject.create(file, events, command), tag);
    } catch (RuntimeException e) {
      umem.close();
      throw e;
    }
  }

  private static byte[] command(
      Umem umem, int domain, long bytes, long address, int access, int tag) {
    long inPage = address & UverbsFile.PAGE_BYTES - 1;
    long pages = Math.ceilDiv(inPage + bytes, UverbsFile.PAGE_BYTES);
    long octwords = Math.ceilDiv(pages, PAGES_PER_OCTWORD);
    View command =
        View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY)
            .set(CreateMkeyIn.MKEY_UMEM_VALID, true)
            .set(CreateMkeyIn.MKEY_UMEM_ID, umem.number())
            .set(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE, octwords);
    HcaAccess.writeTo(command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY), access)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_MTT)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.MKEY_7_0, tag)
        .set(Mkc.PD, domain)
        .set(Mkc.START_ADDR, address)
        .set(Mkc.LEN, bytes)
        .set(Mkc.LOG_PAGE_SIZE, LOG_PAGE_BYTES)
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, octwords);
    return command.bytes();
  }

  @Override
  public int lkey() {
    return key.number() << 8 | tag;
  }

  @Override
  public int rkey() {
    return lkey();
  }

  @Override
  public void close() {
    key.close();
    umem.close();
  }
}
