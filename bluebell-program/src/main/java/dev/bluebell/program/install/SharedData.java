package dev.bluebell.program.install;

import dev.bluebell.program.Data;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.Span;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Data that several installations share, such as tables for more than one client or program. Queues
 * and all other memory are separate. Data with the same name is the same data. Close it after its
 * installations. Not thread-safe.
 *
 * <p>Installed programs run concurrently and must order their own accesses, by atomics. A proof of
 * the verifier is for one client: it does not cover what other clients write to shared data.
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
   * @throws IllegalArgumentException when two plans give different content to data of one name, or
   *     plans read data that they also write by other means than atomics, as they do with cells for
   *     values of a call: name the shared data then
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public static SharedData allocate(ProtectionDomain domain, Collection<Plan> plans) {
    Map<String, Area> areas = areas(plans, _ -> true);
    List<String> unsafe =
        areas.keySet().stream()
            .filter(name -> any(plans, name, Plan::writesPlainly) && any(plans, name, Plan::reads))
            .toList();
    if (!unsafe.isEmpty()) {
      throw new IllegalArgumentException(
          "the programs read %s and also write it by other means than atomics, so clients at the same time would get values of each other: name the data to share in SharedData.allocate, and the rest is private to each installation"
              .formatted(String.join(", ", unsafe)));
    }
    return allocate(domain, plans, areas);
  }

  /**
   * As {@link #allocate(ProtectionDomain, Collection)}, for some of the data. All other data is
   * private to each installation. If programs write the shared data by other means than atomics,
   * the callers must ensure that no other program reads it at the same time.
   *
   * @param shared the shared data, of any of the programs, or nothing to share nothing; its initial
   *     content may point only to shared data
   * @throws IllegalArgumentException when two plans give different content to shared data of one
   *     name, no plan has some shared data, or shared data points to other data
   */
  public static SharedData allocate(
      ProtectionDomain domain, Collection<Plan> plans, Collection<Data> shared) {
    Set<String> names = new LinkedHashSet<>();
    shared.forEach(data -> names.add(data.name()));
    Map<String, Area> areas = areas(plans, names::contains);
    for (String name : names) {
      Area area = areas.get(name);
      if (area == null) {
        throw new IllegalArgumentException("no plan has data %s to share".formatted(name));
      }
      for (Span to : area.addresses().values()) {
        if (!names.contains(to.block().name())) {
          throw new IllegalArgumentException(
              "the content of %s points to %s, which is private to each installation: share it too"
                  .formatted(name, to.block().name()));
        }
      }
    }
    return allocate(domain, plans, areas);
  }

  private static Map<String, Area> areas(Collection<Plan> plans, Predicate<String> shared) {
    Map<String, Area> areas = new LinkedHashMap<>();
    for (Plan plan : plans) {
      for (Area area : plan.data()) {
        Area same = shared.test(area.name()) ? areas.putIfAbsent(area.name(), area) : null;
        if (same != null && !hasSameContent(same, area)) {
          throw new IllegalArgumentException(
              "two plans have %s, with different initial content".formatted(area.name()));
        }
      }
    }
    return areas;
  }

  private static SharedData allocate(
      ProtectionDomain domain, Collection<Plan> plans, Map<String, Area> areas) {
    SharedData data = new SharedData();
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
    plans.forEach(plan -> named(plan, name).forEach(area -> rights.addAll(plan.rights(area))));
    return rights;
  }

  private static boolean any(
      Collection<Plan> plans, String name, BiPredicate<Plan, Area> property) {
    return plans.stream()
        .anyMatch(plan -> named(plan, name).anyMatch(area -> property.test(plan, area)));
  }

  private static Stream<Area> named(Plan plan, String name) {
    return plan.data().stream().filter(area -> area.name().equals(name));
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
   * @throws NullPointerException when no data of this name is shared
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
