package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler rejects requests that the stages rule out. */
class MustNotCompileTest {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Shared, because it caches the class path. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  @TempDir private Path classes;

  @AfterAll
  static void closeFiles() throws IOException {
    FILES.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "qp.send().signaled(1)",
        "qp.send().gather(0, 8, 1).inline(data, 0, 4).gather(0, 8, 1).unsignaled(1)",
        "qp.sendImmediate(5).inline(data, 0, 4).fence().solicited().signaled(1)",
        "qp.write(0, 1).gather(0, 8, 1).solicited().fence().signaled(1)",
        "qp.read(0, 1).scatter(0, 8, 1).scatter(0, 8, 1).fence().signaled(1)",
        "qp.compareAndSwap(0, 1, 2, 3).scatter(0, 1).fence().signaled(1)",
        "qp.fetchAndAdd(0, 1, 2).scatter(0, 1).unsignaled(1)",
        "qp.nop().fence().signaled(1)",
        "qp.receive().scatter(0, 8, 1).post(1)",
        "uc.send().gather(0, 8, 1).signaled(1)",
        "uc.writeImmediate(0, 1, 2).inline(data, 0, 4).unsignaled(1)",
        "ud.to(ah).send().gather(0, 8, 1).solicited().signaled(1)",
        "ud.to(ah).sendImmediate(5).inline(data, 0, 4).unsignaled(1)",
        "ud.nop().signaled(1)",
        "ud.receive().scatter(0, 48, 1).post(1)",
        "dc.target(dct).send().gather(0, 8, 1).signaled(1)",
        "dc.target(dct).write(0, 1).inline(data, 0, 4).unsignaled(1)",
        "dc.target(dct).read(0, 1).scatter(0, 8, 1).fence().signaled(1)",
        "dc.target(dct).compareAndSwap(0, 1, 2, 3).scatter(0, 1).signaled(1)",
        "dc.nop().signaled(1)",
        "qp.receive().scatter(region, 0, 8).scatter(region, 8, 8).post(1)",
        "qp.receive().empty().post(1)",
        "qp.read(0, 1).nowhere().fence().signaled(1)",
        "qp.read(remote).scatter(region, 0, 8).scatter(0, 8, 1).signaled(1)",
        "qp.write(remote).gather(region, 0, 8).inline(data, 0, 4).signaled(1)",
        "qp.writeImmediate(remote, 5).signaled(1)",
        "qp.compareAndSwap(remote, 2, 3).scatter(region, 8).signaled(1)",
        "qp.fetchAndAdd(remote, 2).scatter(region, 8).signaled(1)",
        "qp.maskedCompareAndSwap4(0, 1, 2, 3, 4, 5).scatter(0, 1).signaled(1)",
        "qp.maskedCompareAndSwap8(0, 1, 2, 3, 4L, 5).scatter(region, 0).fence().signaled(1)",
        "qp.maskedFetchAndAdd16(0, 1, wide, wide).scatter(0, 1).unsignaled(1)",
        "qp.fetchAndOr8(0, 1, 2).scatter(0, 1).signaled(1)",
        "qp.maskedCompareAndSwap4(remote, 2, 3, 4, 5).scatter(0, 1).signaled(1)",
        "qp.maskedFetchAndAdd16(remote, wide, wide).scatter(region, 0).unsignaled(1)",
        "qp.swap8(remote, 2).scatter(region, 0).unsignaled(1)",
        "qp.raw(segment).fence().signaled(1)",
        "relaxed.send().gather(0, 8, 1).unsignaled(1)",
        "relaxed.write(0, 1).gather(0, 8, 1).inline(data, 0, 4).fence().signaled(1)",
        "relaxed.read(0, 1).scatter(0, 8, 1).solicited().fence().signaled(1)",
        "relaxed.read(0, 1).nowhere().fence().signaled(1)",
        "relaxed.read(remote).scatter(region, 0, 8).scatter(region, 8, 8).unsignaled(1)",
        "relaxed.write(remote).gather(region, 0, 8).unsignaled(1)",
        "relaxed.writeImmediate(remote, 5).fence().signaled(1)",
        "relaxed.compareAndSwap(remote, 2, 3).scatter(region, 8).unsignaled(1)",
        "relaxed.fetchAndAdd(remote, 2).scatter(region, 8).unsignaled(1)",
        "relaxed.fetchAndAdd(0, 1, 2).scatter(0, 1).fence().signaled(1)",
        "relaxed.maskedCompareAndSwap8(0, 1, 2, 3, 4, 5).scatter(0, 1).unsignaled(1)",
        "relaxed.fetchAndOr4(remote, 1).scatter(region, 0).fence().signaled(1)",
        "relaxed.nop().signaled(1)",
        "RelaxedRcQueuePair made = rcs.sendQueue(8).receiveFrom(srq).relaxedOrdering().create()",
        "srq.receive().scatter(0, 8, 1).post(1)",
        "ucs.receiveFrom(srq).create()",
        "uds.receiveFrom(srq).create()",
        "rcs.receiveFrom(tm).create()",
        "rcs.receiveFrom(strides).create()",
        "pd.dcTarget(cq, strides).create()",
        "boolean done = strides.entry(region, 0, 1).release()",
        "tm.receive().scatter(0, 8, 1).post(1)",
        "int handle = tm.add(1, 2).scatter(0, 8, 1).signaled(1, 2)",
        "int handle = tm.add(1, 2).scatter(region, 0, 8).unsignaled(2)",
        "tm.add(1, 2).empty().handled(3).unsignaled(1)",
        "boolean posted = tm.remove(1, 2)",
        "xrc.toSharedReceives(5).send().gather(0, 8, 1).signaled(1)",
        "xrc.toSharedReceives(5).read(0, 1).scatter(0, 8, 1).unsignaled(1)",
        "xrc.nop().signaled(1)",
        "dcs.stream(1).target(dct).send().gather(0, 8, 1).inline(data, 0, 4).signaled(1)",
        "dcs.stream(1).target(dct).write(0, 1).gather(0, 8, 1).fence().signaled(1)",
        "dcs.stream(1).target(dct).read(0, 1).scatter(0, 8, 1).scatter(0, 8, 1).signaled(1)",
        "dcs.stream(1).target(dct).read(0, 1).nowhere().signaled(1)",
        "dcs.stream(1).target(dct).fetchAndXor16(0, 1, Bits128.ALL).scatter(0, 1).signaled(1)",
        "dcs.stream(1).copyMemory(0, 1, 2, 3, 4).fence().signaled(1)",
        "dc.copyMemory(region, 0, region, 8, 4).unsignaled(1)",
        "dcs.stream(1).target(dct).compareAndSwap(0, 1, 2, 3).scatter(0, 1).signaled(1)",
        "dcs.stream(1).target(dct).fetchAndAdd(0, 1, 2).scatter(0, 1).solicited().signaled(1)",
        "dcs.stream(1).target(dct).write(remote).gather(region, 0, 8).signaled(1)",
        "dcs.stream(1).target(dct).writeImmediate(remote, 5).signaled(1)",
        "dcs.stream(1).target(dct).read(remote).scatter(region, 0, 8).signaled(1)",
        "dcs.stream(1).target(dct).compareAndSwap(remote, 2, 3).scatter(region, 0).signaled(1)",
        "dcs.stream(1).target(dct).maskedFetchAndAdd8(remote, 2, 3).scatter(0, 1).signaled(1)",
        "int key = qp.bind(window, region, 0, 8, rights).signaled(1)",
        "int key = uc.bindZeroBased(window, region, 0, 8, rights).fence().unsignaled(1)",
        "qp.invalidate(window).fence().signaled(1)",
        "qp.layoutList(indirect, rights).piece(region, 0, 8).piece(indirect, 0, 8).signaled(1)",
        "qp.layoutInterleaved(indirect, 2, rights).piece(region, 0, 8, 8).unsignaled(1)",
        "qp.changeRights(indirect, rights).signaled(1)",
        "master.waitFor(cq, 5).fence().unsignaled(1)",
        "master.waitForData(region, 8, WaitCondition.EQUAL, 5, -1).signaled(1)",
        "master.waitForTime(WaitCondition.CYCLIC_SMALLER, 5, -1).signaled(1)",
        "master.enableSends(managed, 5).signaled(1)",
        "managed.enableSends(managed, 5).fence().unsignaled(1)",
        "managed.enableReceives(master, 5).signaled(1)",
        "managed.compareAndSwap(0, 1, 2, 3).scatter(0, 1).fence().unsignaled(1)",
        "ManagedQueuePair made = rcs.crossChannel().managedReceives().managedSends().create()"
      })
  void correctStatementsCompile(String statement) {
    assertThat(errorsOf(statement)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A request without what its opcode requires.
        "qp.write().gather(0, 8, 1).signaled(1)",
        "qp.write(0).gather(0, 8, 1).signaled(1)",
        "qp.writeImmediate(0, 1).gather(0, 8, 1).signaled(1)",
        "qp.sendImmediate().signaled(1)",
        "qp.sendInvalidate().signaled(1)",
        "qp.compareAndSwap(0, 1, 2, 3).signaled(1)",
        "qp.maskedCompareAndSwap8(0, 1, 2, 3, 4, 5).signaled(1)",
        "qp.maskedFetchAndAdd4(0, 1, 2, 3).unsignaled(1)",
        "qp.fetchAndXor4(0, 1, 2).signaled(1)",
        "qp.swap16(0, 1, wide).signaled(1)",
        "qp.read(0, 1).signaled(1)",
        "qp.read(0, 1).unsignaled(1)",
        "qp.read(0, 1).fence().signaled(1)",
        "qp.read(remote).signaled(1)",
        "qp.receive().post(1)",
        "ud.receive().post(1)",
        "srq.receive().post(1)",
        "tm.receive().post(1)",
        "xrcReceives.receive().post(1)",
        "dc.target(dct).read(0, 1).signaled(1)",
        "dc.target(dct).read(remote).fence().signaled(1)",
        "dc.target(dct).fetchAndAdd(0, 1, 2).signaled(1)",
        "dc.target(dct).swap4(remote, 1).signaled(1)",
        "xrc.toSharedReceives(5).read(0, 1).signaled(1)",
        "xrc.toSharedReceives(5).compareAndSwap(0, 1, 2, 3).unsignaled(1)",
        "relaxed.read(0, 1).unsignaled(1)",
        "relaxed.read(0, 1).fence().signaled(1)",
        "relaxed.read(0, 1).solicited().fence().signaled(1)",
        "relaxed.read(remote).fence().signaled(1)",
        "relaxed.fetchAndAdd(remote, 1).fence().signaled(1)",
        // Operands of another size.
        "qp.maskedCompareAndSwap4(0, 1, 2L, 3, 4, 5).scatter(0, 1).signaled(1)",
        "qp.maskedFetchAndAdd16(0, 1, 2, 3).scatter(0, 1).signaled(1)",
        // Memory of a peer where memory of this side belongs, and the reverse.
        "qp.write(region).signaled(1)",
        "qp.send().gather(remote, 0, 8).signaled(1)",
        "qp.receive().scatter(remote, 0, 8).post(1)",
        "qp.fetchAndAdd(0, 1, 2).unsignaled(1)",
        // Data that the opcode does not take.
        "qp.read(0, 1).inline(data, 0, 4).signaled(1)",
        "qp.read(0, 1).gather(0, 8, 1).signaled(1)",
        "qp.compareAndSwap(0, 1, 2, 3).inline(data, 0, 8).signaled(1)",
        "qp.compareAndSwap(0, 1, 2, 3).scatter(0, 1).scatter(8, 1).signaled(1)",
        "qp.fetchAndAdd(0, 1, 2).scatter(0, 16, 1).signaled(1)",
        "qp.nop().gather(0, 8, 1).signaled(1)",
        "qp.receive().gather(0, 8, 1).post(1)",
        // Stages out of order.
        "qp.send().fence().gather(0, 8, 1).signaled(1)",
        "qp.send().signaled(1).ringDoorbell()",
        "qp.receive().empty().post(1).scatter(0, 8, 1)",
        "qp.receive().empty().signaled(1)",
        "qp.receive().empty().scatter(0, 8, 1).post(1)",
        "qp.read(0, 1).nowhere().scatter(0, 8, 1).signaled(1)",
        "relaxed.read(0, 1).nowhere().scatter(0, 8, 1).unsignaled(1)",
        "qp.raw(segment).gather(0, 8, 1).signaled(1)",
        "qp.send().post(1)",
        // What an unreliable connection can't do.
        "uc.read(0, 1).scatter(0, 8, 1).signaled(1)",
        "uc.compareAndSwap(0, 1, 2, 3).scatter(0, 1).signaled(1)",
        "uc.fetchAndAdd(0, 1, 2).scatter(0, 1).signaled(1)",
        "uc.sendInvalidate(1).signaled(1)",
        // Operations that datagrams do not have, and stages that they cannot omit.
        "ud.send().gather(0, 8, 1).signaled(1)",
        "ud.to().send().signaled(1)",
        "ud.to(ah).signaled(1)",
        "ud.to(ah).gather(0, 8, 1).signaled(1)",
        "ud.to(ah).to(ah).send().signaled(1)",
        "ud.to(ah).send().send().signaled(1)",
        "ud.to(ah).write(0, 1).gather(0, 8, 1).signaled(1)",
        "ud.to(ah).read(0, 1).scatter(0, 8, 1).signaled(1)",
        "ud.to(ah).sendInvalidate(1).signaled(1)",
        "ud.connect(uc.endpoint())",
        "uc.connect(ud.endpoint())",
        "uc.to(ah).send().signaled(1)",
        "qp.to(ah).send().signaled(1)",
        // Operations that DC initiators do not have, and stages that they cannot omit.
        "dc.send().gather(0, 8, 1).signaled(1)",
        "dc.target().send().signaled(1)",
        "dc.target(dct).signaled(1)",
        "dc.target(dct).gather(0, 8, 1).signaled(1)",
        "dc.target(dct).target(dct).send().signaled(1)",
        "dc.target(ah).send().signaled(1)",
        "dc.stream(1).target(dct).send().signaled(1)",
        "dc.receive().scatter(0, 8, 1).post(1)",
        "dc.connect(qp.endpoint())",
        "ud.to(dct).send().signaled(1)",
        "qp.target(dct).send().signaled(1)",
        // A completion without meaning under relaxed ordering.
        "relaxed.send().gather(0, 8, 1).signaled(1)",
        "relaxed.write(0, 1).gather(0, 8, 1).solicited().signaled(1)",
        "relaxed.read(0, 1).scatter(0, 8, 1).signaled(1)",
        "relaxed.compareAndSwap(0, 1, 2, 3).scatter(0, 1).signaled(1)",
        "relaxed.compareAndSwap(0, 1, 2, 3).unsignaled(1)",
        "relaxed.write(0, 1).fence().gather(0, 8, 1).signaled(1)",
        "RcQueuePair rc = rcs.relaxedOrdering().create()",
        "rcs.relaxedOrdering().sendQueue(8).create()",
        // A tag without memory, or with two.
        "tm.add(1, 2).unsignaled(1)",
        "tm.add(1, 2).signaled(1, 2)",
        "tm.add(1, 2).empty().scatter(0, 8, 1).unsignaled(1)",
        "tm.add(1, 2).scatter(0, 8, 1).scatter(0, 8, 1).unsignaled(1)",
        "tm.add(1, 2).scatter(0, 8, 1).signaled(1)",
        "tm.add(1).empty().unsignaled(1)",
        "tm.synchronize(1)",
        // What shares receives, and what does not.
        "ucs.receiveFrom(tm)",
        "uds.receiveFrom(tm)",
        "ucs.receiveFrom(strides)",
        "uds.receiveFrom(strides)",
        "strides.receive().scatter(0, 8, 1).post(1)",
        "strides.entry(region, 0).post()",
        "rcs.receiveFrom(qp)",
        "srq.add(1, 2).empty().unsignaled(1)",
        "srq.send().signaled(1)",
        "srq.receive().empty().post()",
        // Operations that requests on streams do not have, and stages that they cannot omit.
        "dcs.target(dct).send().signaled(1)",
        "dcs.stream(1).send().signaled(1)",
        "dcs.stream().target(dct).send().signaled(1)",
        "dcs.stream(1).stream(2).target(dct).send().signaled(1)",
        "dcs.stream(1).target(dct).signaled(1)",
        "dcs.stream(1).target(dct).send().unsignaled(1)",
        "dcs.stream(1).target(dct).swap8(0, 1, 2).signaled(1)",
        "dcs.stream(1).copyMemory(0, 1, 2, 3, 4).unsignaled(1)",
        "dcs.copyMemory(0, 1, 2, 3, 4).signaled(1)",
        "dc.target(dct).copyMemory(0, 1, 2, 3, 4).signaled(1)",
        "relaxed.swap8(0, 1, 2).scatter(0, 1).signaled(1)",
        "relaxed.copyMemory(0, 1, 2, 3, 4).fence().signaled(1)",
        "dcs.stream(1).target(dct).write(0, 1).gather(0, 8, 1).fence().unsignaled(1)",
        "dcs.stream(1).target(dct).read(0, 1).signaled(1)",
        "dcs.stream(1).target(dct).read(remote).fence().signaled(1)",
        "dcs.stream(1).target(dct).maskedCompareAndSwap4(0, 1, 2, 3, 4, 5).signaled(1)",
        "dcs.stream(1).target(dct).fetchAndAdd(0, 1, 2).signaled(1)",
        "dcs.stream(1).target(dct).fetchAndAdd(0, 1, 2).scatter(0, 1).unsignaled(1)",
        "dcs.stream(1).target(dct).send().scatter(0, 8, 1).signaled(1)",
        "dcs.nop().signaled(1)",
        "dcs.receive().scatter(0, 8, 1).post(1)",
        "dcs.connect(qp.endpoint())",
        "xrc.stream(1).toSharedReceives(5).send().signaled(1)",
        "qp.stream(1).send().signaled(1)",
        "ud.stream(1).to(ah).send().signaled(1)",
        // Operations that the ends of an extended reliable connection do not have.
        "xrc.send().gather(0, 8, 1).signaled(1)",
        "xrc.toSharedReceives().send().signaled(1)",
        "xrc.toSharedReceives(5).signaled(1)",
        "xrc.toSharedReceives(5).toSharedReceives(5).send().signaled(1)",
        "xrc.receive().scatter(0, 8, 1).post(1)",
        "xrc.modifyAccess()",
        "qp.toSharedReceives(5).send().signaled(1)",
        "target.send().signaled(1)",
        "target.receive().scatter(0, 8, 1).post(1)",
        "target.ringDoorbell()",
        "pd.rcQueuePair(cq).receiveFrom(xrcReceives)",
        "pd.dcTarget(cq, xrcReceives)",
        // A window without memory, and keys without an owner.
        "qp.bind(window).signaled(1)",
        "relaxed.bind(window, region, 0, 8, rights).signaled(1)",
        "qp.bind(region, window, 0, 8, rights).signaled(1)",
        "qp.bind(window, remote, 0, 8, rights).signaled(1)",
        "qp.bind(window, region, 0, 8).signaled(1)",
        "qp.bind(window, region, 0, 8, rights).solicited().signaled(1)",
        "qp.invalidate(5).signaled(1)",
        "qp.invalidate(region).signaled(1)",
        "ud.bind(window, region, 0, 8, rights).signaled(1)",
        "int key = qp.invalidate(window).signaled(1)",
        // A layout without pieces, or with those of another.
        "qp.layoutList(indirect, rights).signaled(1)",
        "qp.layoutList(window, rights).piece(region, 0, 8).signaled(1)",
        "qp.layoutList(indirect, rights).piece(region, 0, 8, 8).signaled(1)",
        "qp.layoutInterleaved(indirect, rights).piece(region, 0, 8, 8).signaled(1)",
        "qp.layoutInterleaved(indirect, 2, rights).piece(region, 0, 8).signaled(1)",
        "qp.layoutInterleaved(indirect, 2, rights).fence().piece(region, 0, 8, 8).signaled(1)",
        // What only cross-channel queue pairs do, and only to managed queues.
        "qp.waitFor(cq, 5).signaled(1)",
        "qp.enableSends(managed, 5).signaled(1)",
        "relaxed.waitFor(cq, 5).signaled(1)",
        "uc.enableReceives(managed, 5).signaled(1)",
        "master.enableSends(master, 5).signaled(1)",
        "master.enableSends(qp, 5).signaled(1)",
        "master.enableReceives(qp, 5).signaled(1)",
        "master.waitFor(managed, 5).signaled(1)",
        "master.waitFor(cq).signaled(1)",
        "master.waitForData(remote, 0, WaitCondition.EQUAL, 5, -1).signaled(1)",
        "master.waitFor(cq, 5).gather(0, 8, 1).signaled(1)",
        "master.install(segment)",
        "master.keep()",
        "qp.sendQueueMemory()",
        "rcs.managedSends()",
        "MasterQueuePair made = rcs.crossChannel().managedSends().create()",
        "rcs.crossChannel().sendQueue(5)",
        "ucs.crossChannel()",
        // An end without an id.
        "qp.send().signaled()",
        "qp.receive().empty().post()"
      })
  @Tag("slow")
  void incorrectStatementsDoNotCompile(String statement) {
    assertThat(errorsOf(statement)).isNotEmpty();
  }

  @Test
  void theRingsAreNotPartOfTheModulesInterface() {
    // Only Bluebell's own modules may pass addresses to the driver.
    assertThat(MustNotCompileTest.class.getModule().isNamed()).isFalse();
    List<String> exportsToAll =
        ModuleFinder.of(driverClasses()).findAll().stream()
            .flatMap(module -> module.descriptor().exports().stream())
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .toList();
    assertThat(exportsToAll).containsExactly("dev.bluebell.verbs");
  }

  private static Path driverClasses() {
    try {
      return Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> errorsOf(String statement) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            classes.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    boolean compiled =
        COMPILER
            .getTask(
                new StringWriter(), FILES, diagnostics, options, null, List.of(source(statement)))
            .call();
    List<String> errors =
        diagnostics.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(Diagnostic::toString)
            .collect(Collectors.toList());
    assertThat(compiled).isEqualTo(errors.isEmpty());
    return errors;
  }

  private static JavaFileObject source(String statement) {
    String code =
        """
        import dev.bluebell.verbs.*;
        import java.lang.foreign.MemorySegment;

        class Program {
          void post(
              RcQueuePair qp,
              UcQueuePair uc,
              UdQueuePair ud,
              AddressHandle ah,
              DcInitiator dc,
              DcTargetAddress dct,
              DcStreamInitiator dcs,
              XrcInitiator xrc,
              XrcTarget target,
              XrcSharedReceiveQueue xrcReceives,
              ProtectionDomain pd,
              CompletionQueue cq,
              byte[] data,
              MemoryRegion region,
              RemoteMemory remote,
              Bits128 wide,
              MemorySegment segment,
              RelaxedRcQueuePair relaxed,
              SharedReceiveQueue srq,
              StridingReceiveQueue strides,
              TagMatchingReceiveQueue tm,
              RcQueuePairBuilder rcs,
              UcQueuePairBuilder ucs,
              UdQueuePairBuilder uds,
              MemoryWindow window,
              IndirectRegion indirect,
              MasterQueuePair master,
              ManagedQueuePair managed,
              WindowRights rights) {
            %s;
          }
        }
        """
            .formatted(statement);
    return new SimpleJavaFileObject(
        URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return code;
      }
    };
  }
}
