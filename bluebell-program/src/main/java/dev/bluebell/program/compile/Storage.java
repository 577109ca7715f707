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

/** The memory of a program: its data, and areas that the compiler adds. */
final class Storage {
  private final List<Area> areas = new ArrayList<>();
  private final Map<Data, Area> data = new LinkedHashMap<>();
  private final List<Area> flags = new ArrayList<>();
  private final Area sink;

  /**
   * @param flags flags of branches, which the source program does not declare
   * @param longestLoad length of the longest load in bytes
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

  /** Adds zeroed memory of {@code bytes} bytes. */
  Area area(String kind, int bytes) {
    return area(kind + areas.size(), new byte[bytes]);
  }

  /** Adds memory with an initial content. */
  Area area(String areaName, byte[] content) {
    Area area = Area.of(areaName, content);
    areas.add(area);
    return area;
  }

  /** Adds a zeroed word of memory. */
  Area word(String kind) {
    return area(kind, Long.BYTES);
  }

  /** The area of data of the program. */
  Area area(Data of) {
    Area area = data.get(of);
    if (area == null) {
      throw new CompileException("data %s belongs to another program".formatted(of));
    }
    return area;
  }

  Span span(Cell<?> cell) {
    return area(cell.data()).span(cell.offset(), cell.bytes());
  }

  /** The memory from a constant pointer up to the end of its data. */
  Span target(DataPointer pointer) {
    Area in = area(pointer.data());
    return in.span(pointer.offset(), in.bytes() - pointer.offset());
  }

  /** The flags of branches, which the source program does not declare. */
  List<Area> flags() {
    return flags;
  }

  /** Memory for bytes that are discarded. */
  Area sink() {
    return sink;
  }

  /** All areas, in the order of their layout. */
  List<Area> areas() {
    return areas;
  }

  /** Adds areas that were created elsewhere. */
  void add(List<Area> more) {
    areas.addAll(more);
  }
}
