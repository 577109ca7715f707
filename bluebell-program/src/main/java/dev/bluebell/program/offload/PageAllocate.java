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
 * Gives out pages, or takes them back: a ring has the addresses of free ones, and 0 where none is.
 * Any number of clients may call at a time, each with a program of its own on the same data.
 *
 * <p>A call draws the number of a slot by a fetch-and-add that goes round, so no two calls of a
 * round have the same, and then has the slot changed by one more atomic: to take a page is to
 * exchange it for 0, to bring one is to swap it for a 0. So no page is given out twice, and none is
 * lost; a call whose slot is empty, or is taken already, says so and is made again.
 */
public final class PageAllocate {
  /** What a client wants. */
  public enum Action {
    /** A page. The answer is its address, or 0: there was none in the slot. */
    TAKE,
    /** To give one back. The answer is 0, or what the slot has already: the page was not taken. */
    FREE
  }

  private final Data pages;
  private final Data ring;
  private final Cell<Kind.Number> slots;
  private final @Nullable Input<Kind.Pointer> page;
  private final Program program;
  private final int pageBytes;

  /**
   * Pages and their program. Slot i of the ring has page i, if any.
   *
   * @param logPages log2 of their number
   * @param pageBytes length of a page
   * @param next which slot is the next to be taken from
   * @param free slots from there on that have a page; behind them pages are given back
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
        builder.fetchAndAdd(cell, Literal.number(Long.BYTES), fieldEnd()).number(0, Long.BYTES);
    Location at = new Location.Indexed(ring, slot);
    page = takes ? null : builder.pointer("page");
    Loaded before =
        page == null
            ? builder.exchange(at, Literal.number(0))
            : builder.compareAndSwap(at, Literal.number(0), page);
    builder.respond(before.pointer(0));
    program = builder.build();
  }

  /** A slot's offset goes round in its low bits. */
  private long fieldEnd() {
    return (long) ring.bytes() >>> 1;
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** Where a page starts in {@link #pages}. */
  public int offset(int number) {
    return Math.floorMod(number, pages.bytes() / pageBytes) * pageBytes;
  }

  /** The memory of the pages. */
  public Data pages() {
    return pages;
  }

  /** What a client sends: nothing to get a page, and to give one back its address. */
  public Map<Input<?>, byte[]> call(long address) {
    return page == null
        ? Map.of()
        : Map.of(page, ByteBuffer.allocate(Long.BYTES).putLong(address).array());
  }

  /** What a processor does for a call: an addition that goes round in its field, and a swap. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long at = tables.fetchAndAdd(tables.address(slots.data()), Long.BYTES, fieldEnd());
    long slot = tables.address(ring) + at;
    long before =
        page == null
            ? tables.exchange(slot, 0)
            : tables.compareAndSwap(slot, 0, Tables.number(inputs.get(page), 0));
    return List.of(Literal.number(before).content());
  }
}
