package dev.bluebell.program.install;

import dev.bluebell.program.image.Right;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Data that several installations share, such as tables for more than one client or program. Queues
 * and all other memory are separate. Data with the same name is the same data. Not thread-safe;
 * installed programs must order their own accesses, by atomics.
 */
public final class SharedData implements AutoCloseable {
  private static final ValueLayout.OfLong POINTER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Closings closings = new Closings();
  private final Map<String, MemoryRegion> regions = new HashMap<>();

  private SharedData() {}

  /**
   * Allocates all data of some plans, with its initial content. Each piece of data has one key,
   * with exactly the rights that these plans need together.
   *
   * @param domain domain of the installations
   * @throws IllegalArgumentException when two plans give different content to data of one name
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static SharedData allocate(ProtectionDomain domain, Collection<Plan> plans) {
    SharedData data = new SharedData();
    Map<String, Area> areas = new LinkedHashMap<>();
    for (Plan plan : plans) {
      for (Area area : plan.data()) {
        Area same = areas.putIfAbsent(area.name(), area);
        if (same != null && !hasSameContent(same, area)) {
          throw new IllegalArgumentException(
              "two plans have %s, with different initial content".formatted(area.name()));
        }
      }
    }
    try {
      for (Area area : areas.values()) {
        Access[] access = Installation.access(rights(plans, area.name()));
        MemoryRegion region = domain.allocate(Math.max(1, area.bytes()), access);
        data.closings.add(region::close);
        data.regions.put(area.name(), region);
      }
    } catch (RuntimeException | Error e) {
      data.closings.closeAfter(e);
      throw e;
    }
    areas.values().forEach(data::fill);
    return data;
  }

  static SharedData none() {
    return new SharedData();
  }

  private static boolean hasSameContent(Area one, Area other) {
    return Arrays.equals(one.content(), other.content()) && pointers(one).equals(pointers(other));
  }

  // Areas of different plans are different objects, so data is compared by its name.
  private static Map<Integer, String> pointers(Area area) {
    Map<Integer, String> pointers = new HashMap<>();
    area.addresses()
        .forEach(
            (at, to) -> pointers.put(at, "%d of %s".formatted(to.offset(), to.block().name())));
    return pointers;
  }

  private static Set<Right> rights(Collection<Plan> plans, String name) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (Plan plan : plans) {
      List<Area> named = plan.data().stream().filter(area -> area.name().equals(name)).toList();
      named.forEach(area -> rights.addAll(plan.rights(area)));
    }
    return rights;
  }

  private void fill(Area area) {
    MemoryRegion region = region(area.name());
    byte[] content = area.content();
    MemorySegment.copy(content, 0, region.segment(), ValueLayout.JAVA_BYTE, 0, content.length);
    area.addresses()
        .forEach(
            (at, to) ->
                region
                    .segment()
                    .set(POINTER, at, region(to.block().name()).address() + to.offset()));
  }

  /**
   * The region of data.
   *
   * @throws NullPointerException when there is no data of this name
   */
  public MemoryRegion region(String name) {
    return Objects.requireNonNull(regions.get(name), () -> "no data " + name + " is shared");
  }

  /** The region of an area; null when it is not shared. */
  @Nullable MemoryRegion find(Area area) {
    return regions.get(area.name());
  }

  @Override
  public void close() {
    closings.close();
  }
}
