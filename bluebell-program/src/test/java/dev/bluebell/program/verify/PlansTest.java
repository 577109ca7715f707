package dev.bluebell.program.verify;

import dev.bluebell.program.Cell;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.plan.Assembly;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlansTest {
  private static List<Program> programs() {
    List<Program> programs = new ArrayList<>();
    ProgramBuilder p = new ProgramBuilder("hash-get");
    Input<Kind.Bytes> key = p.bytes("key", 6);
    Input<Kind.Pointer> bucket = p.pointer("bucket");
    Data table = p.data("table", 256);
    Loaded b = p.load(table, bucket);
    Field<Kind.Bytes> k = b.bytes(0, 6);
    Field<Kind.Pointer> v = b.pointer(8);
    ProgramBuilder hash = p;
    p.when(Condition.equal(k, key), () -> hash.respond(table, v, 64));
    programs.add(p.build());

    ProgramBuilder less = new ProgramBuilder("less");
    Input<Kind.Number> n = less.number("n", 6);
    less.when(
        Condition.less(n, Literal.number(7, 6)),
        () -> less.respond(Literal.number(1)),
        () -> less.respond(Literal.number(2)));
    programs.add(less.build());

    ProgramBuilder sum = new ProgramBuilder("sum");
    Input<Kind.Number> a = sum.number("a", 8);
    Cell<Kind.Number> total = sum.cell("total", 5);
    sum.add(total, a);
    sum.add(total, Literal.number(3));
    sum.respond(total);
    programs.add(sum.build());

    ProgramBuilder probes = new ProgramBuilder("two probes");
    Input<Kind.Bytes> pk = probes.bytes("key", 6);
    Data pt = probes.data("table", 256);
    for (int i = 0; i < 2; i++) {
      Input<Kind.Pointer> at = probes.pointer("bucket" + i);
      Loaded bb = probes.load(pt, at);
      Field<Kind.Bytes> kk = bb.bytes(0, 6);
      Field<Kind.Pointer> vv = bb.pointer(8);
      probes.when(Condition.equal(kk, pk), () -> probes.respond(pt, vv, 16));
    }
    programs.add(probes.build());

    ProgramBuilder walk = new ProgramBuilder("walk");
    Input<Kind.Bytes> wk = walk.bytes("key", 6);
    Input<Kind.Pointer> head = walk.pointer("head");
    Data nodes = walk.data("nodes", 256);
    Cell<Kind.Pointer> next = walk.data("next", 8).address(0);
    walk.set(next, head);
    walk.repeat(
        3,
        i -> {
          Loaded node = walk.load(nodes, next);
          Field<Kind.Bytes> nk = node.bytes(0, 6);
          Field<Kind.Pointer> nn = node.pointer(8);
          Field<Kind.Bytes> value = node.bytes(16, 8);
          walk.when(Condition.equal(nk, wk), () -> walk.respond(value));
          walk.set(next, nn);
        });
    programs.add(walk.build());
    return programs;
  }

  @Test
  void show() {
    for (Program program : programs()) {
      for (Target target : Target.values()) {
        for (Model model : Model.values()) {
          String name = program.name() + " " + target + " " + model;
          try {
            Plan plan = Compiler.compile(program, target, model);
            ProgramImage image =
                dev.bluebell.program.plan.ImageBuilder.build(plan, Placement.example(plan));
            Rules rules = new Rules(model == Model.ASSUMED, target == Target.CHECKED);
            Verdict verdict = Verifier.verify(image, rules);
            System.out.println(name + " " + verdict);
            if (!verdict.isProved()) {
              System.out.println(Assembly.of(plan));
            }
          } catch (RuntimeException e) {
            System.out.println(name + " " + e);
            e.printStackTrace(System.out);
          }
        }
      }
    }
  }
}
