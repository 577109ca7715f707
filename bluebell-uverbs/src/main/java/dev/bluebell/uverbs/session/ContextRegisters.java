package dev.bluebell.uverbs.session;

import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.DevicePages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The UAR pages of a context whose library does not allocate them one by one, such as rdma-core
 * before 29. The context starts with some pages, and the kernel assigns their BlueFlame registers
 * to queue pairs. The client can map more pages by index and assign their registers itself. A
 * context of a newer library has neither. Mirrors {@code mlx5_ib main.c: calc_total_bfregs} and
 * {@code qp.c: alloc_bfreg, bfregn_to_uar_index}. For one thread.
 */
public final class ContextRegisters {
  /** Registers of a page that user space has: MLX5_NON_FP_BFREGS_PER_UAR. */
  private static final int PER_PAGE = 2;

  /** Registers of a page as libraries count them: MLX5_BFREGS_PER_UAR. */
  private static final int COUNTED_PER_PAGE = 4;

  /** MLX5_MAX_BFREGS with pages of 4 KiB. */
  private static final int MOST = 512;

  /** MLX5_MIN_DYN_BFREGS: as many as have pages with a short index. */
  private static final int MAPPED = 512;

  /** MLX5_IB_INVALID_BFREG. */
  private static final int NOT_CHOSEN = 1 << 31;

  /** Register 0, which takes doorbells only, so that queue pairs share it without a lock. */
  private static final int NO_BLUE_FLAME = 1;

  private final HcaHosting hosting;
  private final DevicePages pages;
  private final List<HcaUar> fixed = new ArrayList<>();

  // By the index that the client maps them by.
  private final Map<Integer, HcaUar> mapped = new HashMap<>();

  // How many queue pairs have a register of the fixed pages.
  private int[] users = {};
  private int firstOfOne;

  ContextRegisters(HcaHosting hosting, DevicePages pages) {
    this.hosting = hosting;
    this.pages = pages;
  }

  /**
   * A register that a queue pair rings on.
   *
   * @param page number of its UAR page
   * @param index by which the library knows it, for one that the kernel has chosen
   * @param release lets another queue pair have it
   */
  public record Register(int page, int index, Runnable release) {
    /** On a page that the client has chosen. */
    public static Register of(int page) {
      return new Register(page, NOT_CHOSEN, () -> {});
    }
  }

  /**
   * Makes the pages that are there from the beginning.
   *
   * @param registers how many the client wants
   * @param lowLatency how many of them one queue pair each is to have for itself
   */
  public void open(int registers, int lowLatency) throws IOException {
    Refusal.require(fixed.isEmpty(), Errno.EINVAL, "the context is open already");
    Refusal.require(
        registers > 0,
        Errno.EINVAL,
        "a client that allocates no UAR pages by calls must want registers");
    Refusal.require(
        registers <= MOST,
        Errno.ENOMEM,
        "a context has at most %d registers, not %d",
        MOST,
        registers);
    int total = registers + PER_PAGE - 1 & -PER_PAGE;
    Refusal.require(
        lowLatency >= 0 && lowLatency <= total - NO_BLUE_FLAME,
        Errno.EINVAL,
        "%d registers for low latency of %d are too many",
        lowLatency,
        total);
    for (int i = 0; i < total / PER_PAGE; i++) {
      fixed.add(hosting.allocateUar(pages.at(i).segment()));
    }
    users = new int[total];
    firstOfOne = total - lowLatency;
  }

  /** How many there are from the beginning; 0 for a newer library. */
  public int count() {
    return users.length;
  }

  /** How many more the client may map; 0 for a newer library. */
  public int mappable() {
    return users.length == 0 ? 0 : MAPPED;
  }

  /** True for the number of one of these pages. */
  public boolean have(int page) {
    return fixed.stream().anyMatch(uar -> uar.number() == page)
        || mapped.values().stream().anyMatch(uar -> uar.number() == page);
  }

  /** Number of the page on which completion queues are armed. */
  public int first() {
    requireAny();
    return fixed.getFirst().number();
  }

  private void requireAny() {
    Refusal.require(
        !fixed.isEmpty(), Errno.EINVAL, "the client allocates its UAR pages, and names none here");
  }

  /**
   * Takes a register for a queue pair: one that no other has while there are such, then one that
   * few have.
   */
  public Register take() {
    requireAny();
    int chosen = ofOne();
    if (chosen < 0) {
      chosen = ofSeveral();
    }
    int register = chosen;
    users[register]++;
    return new Register(
        fixed.get(register / PER_PAGE).number(),
        register / PER_PAGE * COUNTED_PER_PAGE + register % PER_PAGE,
        () -> users[register]--);
  }

  private int ofOne() {
    for (int i = firstOfOne; i < users.length; i++) {
      if (users[i] == 0) {
        return i;
      }
    }
    return -1;
  }

  private int ofSeveral() {
    if (firstOfOne <= NO_BLUE_FLAME) {
      return 0;
    }
    int least = NO_BLUE_FLAME;
    for (int i = NO_BLUE_FLAME; i < firstOfOne; i++) {
      if (users[i] < users[least]) {
        least = i;
      }
    }
    return least;
  }

  /**
   * The number of the page of a register that the client maps.
   *
   * @param register the client's index of it
   */
  public int mapped(int register) throws IOException {
    Refusal.require(
        register >= 0 && register < mappable(),
        Errno.EINVAL,
        "register %d is not one of the %d that the context may map",
        register,
        mappable());
    int index = register / PER_PAGE;
    HcaUar page = mapped.get(index);
    if (page == null) {
      page = hosting.allocateUar(pages.at((Mlx5.IB_MMAP_ALLOC_WC << 8) + index).segment());
      mapped.put(index, page);
    }
    return page.number();
  }

  /** Frees the pages, when no queue is left. */
  void close() {
    fixed.forEach(HcaUar::close);
    mapped.values().forEach(HcaUar::close);
  }
}
