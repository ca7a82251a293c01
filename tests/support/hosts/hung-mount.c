/*
 * A file system that doesn't respond: hung-mount PATH mounts one there, on a folder or a file, and then keeps every call that it gets, as a
 * dead NFS server does. SIGUSR1 makes it answer, those it has kept first; SIGUSR2 makes it hang again. With a second word it answers from the
 * beginning. It tells its space (1,000 blocks of 4 KiB, half of them free); as a file it holds a short /proc/meminfo; all else is an
 * input/output error. Needs the right to mount; a user namespace gives it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char content[] = "MemTotal: 1000 kB\nMemFree: 400 kB\nMemAvailable: 600 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";
static int device, is_file;
static volatile sig_atomic_t answers = 0;

/* A call that was kept, with the beginning of what it asks. */
static struct call {
  struct fuse_in_header in;
  struct fuse_read_in read;
} kept[1024];
static int count = 0;

static void on_signal(int number) { answers = number == SIGUSR1; }

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t size) {
  char out[4096];
  struct fuse_out_header head = {.len = sizeof head + size, .error = error, .unique = in->unique};
  memcpy(out, &head, sizeof head);
  if (size) memcpy(out + sizeof head, data, size);
  if (write(device, out, head.len) < 0 && errno != ENOENT) perror("reply");
}

static void answer(const struct call *call) {
  struct fuse_statfs_out space = {
      .st = {.blocks = 1000, .bfree = 500, .bavail = 500, .bsize = 4096, .frsize = 4096, .namelen = 255}};
  struct fuse_attr_out attr = {.attr = {.ino = 1, .mode = is_file ? S_IFREG | 0644 : S_IFDIR | 0755, .nlink = 1}};
  struct fuse_open_out open = {.open_flags = FOPEN_DIRECT_IO};
  size_t at = call->read.offset < sizeof content - 1 ? call->read.offset : sizeof content - 1, left = sizeof content - 1 - at;
  switch (call->in.opcode) {
    case FUSE_FORGET:
    case FUSE_INTERRUPT: return;
    case 52: return reply(&call->in, -ENOSYS, 0, 0); /* FUSE_STATX, which older headers don't have: the kernel then asks for attributes. */
    case FUSE_STATFS: return reply(&call->in, 0, &space, sizeof space);
    case FUSE_GETATTR: return reply(&call->in, 0, &attr, sizeof attr);
    case FUSE_FLUSH:
    case FUSE_RELEASE: return reply(&call->in, 0, 0, 0);
    case FUSE_OPEN: if (is_file) return reply(&call->in, 0, &open, sizeof open); break;
    case FUSE_READ:
      if (is_file) return reply(&call->in, 0, content + at, left < call->read.size ? left : call->read.size);
  }
  reply(&call->in, -EIO, 0, 0);
}

int main(int argc, char **argv) {
  char options[128];
  static char buffer[1 << 18];
  struct stat found;
  if (argc < 2 || stat(argv[1], &found)) return 2;
  is_file = !S_ISDIR(found.st_mode);
  answers = argc > 2;
  device = open("/dev/fuse", O_RDWR);
  if (device < 0) return perror("/dev/fuse"), 1;
  snprintf(options, sizeof options, "fd=%d,rootmode=%o,user_id=%d,group_id=%d,allow_other", device,
           is_file ? S_IFREG | 0644 : S_IFDIR | 0755, getuid(), getgid());
  if (mount("hung", argv[1], "fuse.hung", MS_NOSUID | MS_NODEV, options)) return perror("mount"), 1;
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR2, &action, 0);
  for (;;) {
    struct pollfd wait = {.fd = device, .events = POLLIN};
    int ready = poll(&wait, 1, 100);
    if (answers) {
      for (int at = 0; at < count; at++) answer(&kept[at]);
      count = 0;
    }
    if (ready <= 0) continue;
    ssize_t got = read(device, buffer, sizeof buffer);
    if (got < 0) {
      if (errno == ENODEV) return 0;
      if (errno == EINTR || errno == ENOENT || errno == EAGAIN) continue;
      return perror("read"), 1;
    }
    struct call call = {0};
    memcpy(&call, buffer, got < (ssize_t)sizeof call ? (size_t)got : sizeof call);
    if (call.in.opcode == FUSE_INIT) {
      struct fuse_init_in *init = (struct fuse_init_in *)(buffer + sizeof call.in);
      struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION,
                                  .minor = FUSE_KERNEL_MINOR_VERSION,
                                  .max_readahead = init->max_readahead,
                                  .max_write = 4096};
      reply(&call.in, 0, &out, sizeof out);
      puts("mounted");
      fflush(stdout);
    } else if (answers) answer(&call);
    else if (count < 1024 && call.in.opcode != FUSE_INTERRUPT) kept[count++] = call;
  }
}
