package dev.bluebell.cli.demo;

/** The exhibits on the software ConnectX that the polling thread runs. */
class MuseumTest extends MuseumSuite {}
