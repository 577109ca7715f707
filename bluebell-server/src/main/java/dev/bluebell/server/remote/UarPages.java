package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaException;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Memory for the UAR pages of one client: many pages share a mapping and a descriptor, which are
 * scarce resources. It holds no page of another client. For one thread.
 */
final class UarPages {
  private static final int PAGES = 64;

  private final Account account;
  private final List<Block> blocks = new ArrayList<>();

  UarPages(Account account) {
    this.account = account;
  }

  /** Memory of several pages, of which only pages in use are allocated. */
  private static final class Block {
    private final SharedMemory memory;
    private final BitSet used = new BitSet(PAGES);
    private final Account.Hold hold;

    Block(SharedMemory memory, Account.Hold hold) {
      this.memory = memory;
      this.hold = hold;
    }
  }

  /** A page in memory that the client maps. */
  final class Page {
    private final Block block;
    private final int index;

    private Page(Block block, int index) {
      this.block = block;
      this.index = index;
    }

    SharedMemory memory() {
      return block.memory;
    }

    /** Bytes from the start of the memory. */
    long offset() {
      return (long) index * SharedMemory.PAGE_BYTES;
    }

    MemorySegment segment() {
      return block.memory.segment().asSlice(offset(), SharedMemory.PAGE_BYTES);
    }

    /** Returns the page, once the device no longer polls it. */
    void give() throws IOException {
      block.used.clear(index);
      if (block.used.isEmpty()) {
        blocks.remove(block);
        block.memory.close();
        block.hold.close();
      }
    }
  }

  /**
   * Takes a zeroed page.
   *
   * @throws HcaException when the client's quota is exhausted, or the kernel has no memory
   */
  Page take() throws HcaException {
    try {
      return takeFrom(withRoom());
    } catch (IOException e) {
      throw Connection.failure("no UAR page: " + e.getMessage());
    }
  }

  private Page takeFrom(Block block) throws IOException {
    Page page = new Page(block, block.used.nextClearBit(0));
    try {
      block.memory.reserve(page.offset(), SharedMemory.PAGE_BYTES);
    } catch (IOException e) {
      page.give();
      throw e;
    }
    page.segment().fill((byte) 0);
    block.used.set(page.index);
    return page;
  }

  private Block withRoom() throws IOException {
    for (Block block : blocks) {
      if (block.used.cardinality() < PAGES) {
        return block;
      }
    }
    Account.Hold hold = account.take(Quota.MAPPINGS).and(Quota.DESCRIPTORS, 1);
    try {
      long bytes = (long) PAGES * SharedMemory.PAGE_BYTES;
      Block block = new Block(SharedMemory.sparse("bluebell-uar", bytes), hold);
      blocks.add(block);
      return block;
    } catch (IOException | RuntimeException | Error e) {
      hold.close();
      throw e;
    }
  }
}
