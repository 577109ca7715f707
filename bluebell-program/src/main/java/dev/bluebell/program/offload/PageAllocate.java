package dev.bluebell.program.offload;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Location;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Allocates and frees pages: a ring contains the addresses of free pages, and 0 in empty slots. Any
 * number of clients may call concurrently, each with a program of its own on the same data.
 *
 * <p>A call gets the number of a slot by a fetch-and-add that wraps around, so no two calls of a
 * round get the same slot. A second atomic changes the slot: it exchanges the page for 0 to
 * allocate it, or swaps a 0 for the page to free it. So no page is allocated twice or lost. If the
 * slot is empty, or already occupied, the answer reports it and the client calls again.
 */
public final class PageAllocate {
  /** Operations of a client. */
  public enum Action {
    /** Allocates a page. The answer is its address, or 0 when the slot was empty. */
    TAKE,
    /**
     * Frees a page. The answer is 0, or the page in the slot when it is occupied: the page was not
     * freed then.
     */
    FREE
  }

  private final Data pages;
  private final Data ring;
  private final Cell<Kind.Number> slots;
  private final @Nullable Input<Kind.Pointer> page;
  private final Program program;
  private final int pageBytes;

  /**
   * Creates pages and their program. Slot i of the ring has page i or is empty.
   *
   * @param logPages binary logarithm of the number of pages
   * @param pageBytes length of a page
   * @param next slot that the next call allocates from
   * @param free number of slots from there on that have a page; freed pages go to the slots after
   *     them
   */
  public PageAllocate(Action action, int logPages, int pageBytes, int next, int free) {
    this.pageBytes = pageBytes;
    int count = 1 << logPages;
    boolean takes = action == Action.TAKE;
    ProgramBuilder builder = new ProgramBuilder(takes ? "page-allocate" : "page-free");
    pages = builder.data("pages", count * pageBytes);
    ring = builder.data("ring", count * Long.BYTES);
    for (int i = next; i < next + free; i++) {
      ring.put(i % count * Long.BYTES, pages.pointer(offset(i)));
    }
    int first = (takes ? next : next + free) % count;
    slots = builder.cell(takes ? "next" : "end", (long) first * Long.BYTES);
    Location cell = Location.of(slots);
    Field<Kind.Number> slot =
        builder.fetchAndAdd(cell, Literal.number(step()), fieldEnd()).number(0, Long.BYTES);
    Location at = new Location.Indexed(ring, slot);
    page = takes ? null : builder.pointer("page");
    Loaded before =
        page == null
            ? builder.exchange(at, Literal.number(0))
            : builder.compareAndSwap(at, Literal.number(0), page);
    builder.respond(before.pointer(0));
    program = builder.build();
  }

  /** The highest bit of a slot's offset, where it wraps around. */
  private long fieldEnd() {
    return (long) ring.bytes() >>> 1;
  }

  /** Offset from a slot to the next one: 0 in a ring of one slot. */
  private long step() {
    return Long.BYTES % ring.bytes();
  }

  public Program program() {
    return program;
  }

  /** Offset of a page in {@link #pages}. */
  public int offset(int number) {
    return Math.floorMod(number, pages.bytes() / pageBytes) * pageBytes;
  }

  public Data pages() {
    return pages;
  }

  /** The client's inputs: nothing to allocate a page, its address to free one. */
  public Map<Input<?>, byte[]> call(long address) {
    return page == null
        ? Map.of()
        : Map.of(page, ByteBuffer.allocate(Long.BYTES).putLong(address).array());
  }

  /** Work of a processor for a call: an addition that wraps around in its field, and a swap. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long at = tables.fetchAndAdd(tables.address(slots.data()), step(), fieldEnd());
    long slot = tables.address(ring) + at;
    long before =
        page == null
            ? tables.exchange(slot, 0)
            : tables.compareAndSwap(slot, 0, Tables.number(inputs.get(page), 0));
    return List.of(Literal.number(before).content());
  }
}
