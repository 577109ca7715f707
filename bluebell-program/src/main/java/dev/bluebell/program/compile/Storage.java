package dev.bluebell.program.compile;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Data;
import dev.bluebell.program.DataPointer;
import dev.bluebell.program.Program;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The memory of a program: its data, and what the compiler adds. */
final class Storage {
  private final List<Area> areas = new ArrayList<>();
  private final Map<Data, Area> data = new LinkedHashMap<>();
  private final List<Area> flags = new ArrayList<>();
  private final Area sink;

  /**
   * Memory of a program.
   *
   * @param flags data that the program does not know
   * @param longestLoad bytes of the longest record that is loaded
   */
  Storage(Program program, List<Data> flags, int longestLoad) {
    for (Data each : program.data()) {
      Area area = Area.ofData(each.name(), each.content());
      this.data.put(each, area);
      areas.add(area);
    }
    for (Data each : program.data()) {
      each.pointers().forEach((offset, to) -> area(each).put(offset, target(to)));
    }
    for (Data flag : flags) {
      Area area = area("flag " + flag, flag.content());
      data.put(flag, area);
      this.flags.add(area);
    }
    sink = Area.sink(Math.max(Long.BYTES, longestLoad));
    areas.add(sink);
  }

  /** Memory of so many bytes, zeroed at the start. */
  Area area(String kind, int bytes) {
    return area(kind + areas.size(), new byte[bytes]);
  }

  /** Memory with something in it at the start. */
  Area area(String areaName, byte[] content) {
    Area area = Area.of(areaName, content);
    areas.add(area);
    return area;
  }

  /** A word of memory, zeroed at the start. */
  Area word(String kind) {
    return area(kind, Long.BYTES);
  }

  /** Where data of the program lies. */
  Area area(Data of) {
    return Objects.requireNonNull(data.get(of), () -> of + " is of another program");
  }

  /** Where a cell lies. */
  Span span(Cell<?> cell) {
    return area(cell.data()).span(cell.offset(), cell.bytes());
  }

  /** What a constant pointer points to, up to the end of its data. */
  Span target(DataPointer pointer) {
    Area in = area(pointer.data());
    return in.span(pointer.offset(), in.bytes() - pointer.offset());
  }

  /** The data that the program does not know. */
  List<Area> flags() {
    return flags;
  }

  /** Takes what nobody wants. */
  Area sink() {
    return sink;
  }

  /** All of it, in the order in which it is laid out. */
  List<Area> areas() {
    return areas;
  }

  /** Adds memory that was made elsewhere. */
  void add(List<Area> more) {
    areas.addAll(more);
  }
}
