/** The {@code bluebell} command. */
module dev.bluebell.cli {
  requires com.fasterxml.jackson.databind;
  requires dev.bluebell.conformance;
  requires dev.bluebell.connect;
  requires dev.bluebell.devx;
  requires dev.bluebell.hca;
  requires dev.bluebell.program;
  requires dev.bluebell.report;
  requires dev.bluebell.roce;
  requires dev.bluebell.server;
  requires dev.bluebell.softnic;
  requires dev.bluebell.uverbs;
  requires dev.bluebell.verifier;
  requires dev.bluebell.verbs;
  requires info.picocli;
  requires java.management;
  requires jdk.management;
  requires static org.jspecify;
  requires org.junit.platform.engine;
  requires org.junit.platform.launcher;
  requires HdrHistogram;

  opens dev.bluebell.cli to
      info.picocli;
  opens dev.bluebell.cli.command to
      info.picocli;
  opens dev.bluebell.cli.conformance to
      info.picocli;
  opens dev.bluebell.cli.demo to
      info.picocli;
  opens dev.bluebell.cli.device to
      info.picocli;
  opens dev.bluebell.cli.manual to
      info.picocli;
  opens dev.bluebell.cli.perf to
      info.picocli;
  opens dev.bluebell.cli.ping to
      info.picocli;
  opens dev.bluebell.cli.program to
      info.picocli;
  opens dev.bluebell.cli.share to
      info.picocli;
  opens dev.bluebell.cli.sources to
      info.picocli;
  opens dev.bluebell.cli.stat to
      info.picocli;
  opens dev.bluebell.cli.text to
      info.picocli;
  opens dev.bluebell.cli.trace to
      info.picocli;
}
