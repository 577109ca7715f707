package dev.bluebell.cli.sources;

import picocli.CommandLine.Command;

/** {@code ./bluebell java}: runs a source file. */
@Command(
    name = "java",
    header = "Run a Java source file with the library.",
    customSynopsis = "./bluebell java [JVM OPTIONS] FILE [ARGUMENTS]",
    description = {
      "Runs a Java source file on the JDK of ./bluebell, with the modules of Bluebell on the module"
          + " path: ./bluebell java First.java",
      "",
      "Options in front of the file are options of the JVM.",
      "",
      "The command works in a clone of the sources only."
    })
public final class JavaCommand extends SourcesCommand {}
