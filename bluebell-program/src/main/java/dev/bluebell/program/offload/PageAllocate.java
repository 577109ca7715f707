package dev.bluebell.program.offload;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.util.List;
import java.util.Map;

/**
 * Gives out pages: a ring has the addresses of free ones, and a client that calls gets the next of
 * them. The host puts addresses behind those that are used up.
 */
public final class PageAllocate {
  private final Data pages;
  private final Data ring;
  private final Cell<Kind.Number> offset;
  private final Program program;
  private final int pageBytes;

  /**
   * Pages and their program. The ring has them in the order of memory.
   *
   * @param logPages log2 of their number
   * @param pageBytes length of a page
   * @param next how many were given out before
   */
  public PageAllocate(int logPages, int pageBytes, int next) {
    this.pageBytes = pageBytes;
    int count = 1 << logPages;
    long last = (long) count * Long.BYTES - 1;
    ProgramBuilder builder = new ProgramBuilder("page-allocate");
    pages = builder.data("pages", count * pageBytes);
    ring = builder.data("ring", count * Long.BYTES);
    for (int i = 0; i < count; i++) {
      ring.put(i * Long.BYTES, pages.pointer(i * pageBytes));
    }
    offset = builder.cell("next", (long) next * Long.BYTES & last);
    Loaded page = builder.loadIndexed(ring, offset);
    builder.respond(page.pointer(0));
    builder.add(offset, Literal.number(Long.BYTES));
    builder.update(offset, 0, ~last);
    program = builder.build();
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** Where a page starts in {@link #pages}. */
  public int offset(int page) {
    return Math.floorMod(page, pages.bytes() / pageBytes) * pageBytes;
  }

  /** The memory of the pages. */
  public Data pages() {
    return pages;
  }

  /** What a processor does for a call: one addition that wraps in its field, and one read. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    long fieldEnd = (long) ring.bytes() >>> 1;
    long at = tables.fetchAndAdd(tables.address(offset.data()), Long.BYTES, fieldEnd);
    return List.of(tables.read(tables.address(ring) + at, Long.BYTES));
  }
}
