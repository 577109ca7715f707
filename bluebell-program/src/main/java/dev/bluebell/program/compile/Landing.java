package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Places that the bytes of a field are scattered to when it is loaded. */
final class Landing {
  private final List<Part> parts = new ArrayList<>();

  private record Part(int from, Span to, Order order) {}

  void add(int from, Span to, Order order) {
    parts.add(new Part(from, to, order));
    parts.sort(Comparator.comparingInt(Part::from));
  }

  /** True when the field is not used. */
  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The places in the order of the loaded bytes. */
  List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    for (Part part : parts) {
      if (part.order() == Order.PLAIN) {
        spans.add(part.to());
      } else {
        for (int i = part.to().length() - 1; i >= 0; i--) {
          spans.add(part.to().part(i, 1));
        }
      }
    }
    return spans;
  }
}
