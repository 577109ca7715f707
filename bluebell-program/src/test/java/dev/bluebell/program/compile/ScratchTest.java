package dev.bluebell.program.compile;

import dev.bluebell.program.*;
import dev.bluebell.program.plan.*;
import org.junit.jupiter.api.Test;

class ScratchTest {
  @Test
  void show() {
    for (Target t : Target.values())
      for (Model m : Model.values()) {
        ProgramBuilder p = new ProgramBuilder("hash-get");
        Input<Kind.Bytes> key = p.bytes("key", 6);
        Input<Kind.Pointer> bucket = p.pointer("bucket");
        Data table = p.data("table", 1024);
        Loaded b = p.load(table, bucket);
        Field<Kind.Bytes> k = b.bytes(0, 6);
        Field<Kind.Pointer> v = b.pointer(8);
        p.when(Condition.equal(k, key), () -> p.respond(table, v, 64));
        Plan plan = Compiler.compile(p.build(), t, m);
        System.out.println(t + " " + m + "\n" + Assembly.of(plan) + Cost.of(plan) + "\n");
        ImageBuilder.build(plan, Placement.example(plan));
        ProgramBuilder q = new ProgramBuilder("if");
        Cell<Kind.Number> x = q.cell("x", 5), y = q.cell("y", 6);
        q.when(
            Condition.less(x.first(7), Literal.number(7, 7)),
            () -> q.set(y, Literal.number(1)),
            () -> q.add(y, x));
        q.loadIndexed(table, x);
        plan = Compiler.compile(q.build(), t, m);
        System.out.println(t + " " + m + "\n" + Assembly.of(plan) + Cost.of(plan) + "\n");
      }
  }
}
