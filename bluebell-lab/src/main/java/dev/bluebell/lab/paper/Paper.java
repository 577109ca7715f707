package dev.bluebell.lab.paper;

import dev.bluebell.lab.paper.Table.Form;
import java.util.List;

/**
 * The tables of "RDMA is Turing complete, we just did not know it yet!" (Reda, Canini, Kostić,
 * Peter, NSDI 2022), from its text or read off its figures.
 */
public final class Paper {
  private Paper() {}

  /** All tables with latencies and rates, in the order of the page. */
  public static List<Table> tables() {
    return List.of(
        new Table("Verbs, orders and constructs", Form.CONSTANTS, PlainFigures.all()),
        new Table("Hash get", Form.READS, ServiceFigures.gets()),
        new Table("Hash get after a collision", Form.READS, ServiceFigures.collisions()),
        new Table("List walk", Form.READS, ServiceFigures.walks()),
        new Table("Memcached get", Form.READS, ServiceFigures.memcached()),
        new Table("Get among writers", Form.READS, ServiceFigures.isolation()),
        new Table("Two-sided services", Form.READS, ServiceFigures.twoSided()),
        new Table("One-sided services", Form.READS, ServiceFigures.oneSided()),
        new Table("Compiled programs", Form.READS, ServiceFigures.compiled()));
  }
}
