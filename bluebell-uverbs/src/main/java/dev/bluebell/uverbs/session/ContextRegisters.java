package dev.bluebell.uverbs.session;

import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.DevicePages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The UAR pages of a context whose library does not allocate them one by one, such as rdma-core
 * before 29. The context starts with some pages, and the kernel assigns their BlueFlame registers
 * to queue pairs. The client can map more pages by index and assign their registers itself. A
 * context of a newer library has neither. Mirrors {@code mlx5_ib main.c: calc_total_bfregs} and
 * {@code qp.c: alloc_bfreg, bfregn_to_uar_index}. For one thread.
 */
public final class ContextRegisters {
  /** Registers of a page that user space may use: MLX5_NON_FP_BFREGS_PER_UAR. */
  private static final int PER_PAGE = 2;

  /** Registers of a page as libraries count them: MLX5_BFREGS_PER_UAR. */
  private static final int COUNTED_PER_PAGE = 4;

  /** MLX5_MAX_BFREGS with pages of 4 KiB. */
  private static final int MOST = 512;

  /** MLX5_MIN_DYN_BFREGS: the number of registers on pages with a short index. */
  private static final int MAPPED = 512;

  /** MLX5_IB_INVALID_BFREG. */
  private static final int NOT_CHOSEN = 1 << 31;

  /** Register 0 takes doorbells only, so queue pairs share it without a lock. */
  private static final int NO_BLUE_FLAME = 1;

  private final HcaHosting hosting;
  private final DevicePages pages;
  private final List<HcaUar> fixed = new ArrayList<>();

  // By the index at which the client maps them.
  private final Map<Integer, HcaUar> mapped = new HashMap<>();

  // Number of queue pairs on each register of the fixed pages.
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
   * @param index the library's index of it, if the kernel chose it
   * @param release returns it for use by another queue pair
   */
  public record Register(int page, int index, Runnable release) {
    /** A register on a page that the client chose. */
    public static Register of(int page) {
      return new Register(page, NOT_CHOSEN, () -> {});
    }
  }

  /**
   * Allocates the pages with which the context starts.
   *
   * @param registers how many the client wants
   * @param lowLatency how many of them are reserved for a single queue pair each
   */
  public void open(int registers, int lowLatency) throws IOException {
    Refusal.require(fixed.isEmpty(), Errno.EINVAL, "the context is open already");
    Refusal.require(
        registers > 0,
        Errno.EINVAL,
        "a client that does not allocate UAR pages by calls must ask for registers");
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

  /** Number of registers at the start; 0 for a newer library. */
  public int count() {
    return users.length;
  }

  /** Number of further registers that the client may map; 0 for a newer library. */
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
        !fixed.isEmpty(),
        Errno.EINVAL,
        "the client allocates its own UAR pages, but names none here");
  }

  /**
   * Takes a register for a queue pair: an unused one if there is one, otherwise one with few users.
   */
  public Register take() {
    requireAny();
    int register =
        IntStream.range(firstOfOne, users.length)
            .filter(i -> users[i] == 0)
            .findFirst()
            .orElseGet(this::leastUsedOfSeveral);
    users[register]++;
    return new Register(
        fixed.get(register / PER_PAGE).number(),
        register / PER_PAGE * COUNTED_PER_PAGE + register % PER_PAGE,
        () -> users[register]--);
  }

  private int leastUsedOfSeveral() {
    return IntStream.range(NO_BLUE_FLAME, firstOfOne)
        .boxed()
        .min(Comparator.comparingInt(i -> users[i]))
        .orElse(0);
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

  /** Frees the pages, once no queue is left. */
  void close() {
    fixed.forEach(HcaUar::close);
    mapped.values().forEach(HcaUar::close);
  }
}
