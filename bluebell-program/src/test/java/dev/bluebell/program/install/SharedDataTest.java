package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Data;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Location;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedDataTest {
  @Test
  void dataWithDifferentAddressesIsDifferent() {
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      try (SharedData same = SharedData.allocate(domain, List.of(plan(8), plan(8)))) {
        assertThat(same.region("table").length()).isEqualTo(64);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SharedData.allocate(domain, List.of(plan(8), plan(16))))
          .withMessage("two plans have head, with different initial content");
    }
  }

  @Test
  void cellsThatAreNotNamedArePrivate() {
    Plan plan = ticket();
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        SharedData shared = SharedData.allocate(domain, List.of(plan), List.of(data("tickets")));
        Installation one = Installation.install(device, domain, plan, shared);
        Installation two = Installation.install(device, domain, plan, shared)) {
      Area tickets = plan.area("tickets");
      assertThat(one.region(tickets)).isSameAs(two.region(tickets));
      Area mine = plan.area("mine");
      assertThat(one.region(mine).address()).isNotEqualTo(two.region(mine).address());
    }
  }

  @Test
  void anEmptyListSharesNothing() {
    Plan plan = ticket();
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        SharedData shared = SharedData.allocate(domain, List.of(plan), List.of());
        Installation one = Installation.install(device, domain, plan, shared);
        Installation two = Installation.install(device, domain, plan, shared)) {
      Area tickets = plan.area("tickets");
      assertThat(one.region(tickets).address()).isNotEqualTo(two.region(tickets).address());
    }
  }

  @Test
  void cellsOfACallAreNotSharedUnlessTheyAreNamed() {
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SharedData.allocate(domain, List.of(ticket())))
          .withMessage(
              "the programs read mine and also write it by other means than atomics, so clients at"
                  + " the same time would get values of each other: name the data to share in"
                  + " SharedData.allocate, and the rest is private to each installation");
    }
  }

  @Test
  void sharedDataBelongsToAPlanAndPointsToSharedData() {
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SharedData.allocate(domain, List.of(plan(8)), List.of(data("tabel"))))
          .withMessage("no plan has data tabel to share");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SharedData.allocate(domain, List.of(plan(8)), List.of(data("head"))))
          .withMessage(
              "the content of head points to table, which is private to each installation: share it"
                  + " too");
    }
  }

  /** Takes a ticket, and answers with a copy of it. */
  private static Plan ticket() {
    ProgramBuilder builder = new ProgramBuilder("ticket");
    Cell<Kind.Number> next = builder.cell("tickets", 0);
    Cell<Kind.Number> mine = builder.cell("mine", 0);
    Loaded old = builder.fetchAndAdd(Location.of(next), Literal.number(1), 0);
    builder.set(mine, old.number(0, 8));
    builder.respond(mine);
    return Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
  }

  private static Data data(String name) {
    return new ProgramBuilder("names").data(name, 8);
  }

  private static Plan plan(int first) {
    ProgramBuilder builder = new ProgramBuilder("first");
    Data table = builder.data("table", 64);
    Data head = builder.data("head", 8).put(0, table.pointer(first));
    builder.respond(table, head.address(0), 8);
    return Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
  }
}
