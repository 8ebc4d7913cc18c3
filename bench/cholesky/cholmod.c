/* CHOLMOD with METIS on the matrix of crates/pliant-numerics/benches/cholesky.rs: a line of JSON for each grid.
   cc -O3 cholmod.c -lcholmod -lopenblas */
#include <stdio.h>
#include <stdlib.h>
#include <suitesparse/cholmod.h>
#include <time.h>

char *openblas_get_corename(void);
int openblas_get_num_threads(void);

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

static double entry(long i, long j)
{
    long low = i < j ? i : j, high = i < j ? j : i;
    return i == j ? 100.0 + i % 5 : -(double)((low + 2 * high) % 7) / 7.0;
}

/* the upper triangle: CHOLMOD needs one transposition less for it */
static cholmod_sparse *matrix(int n, cholmod_common *c)
{
    int points = n * n * n;
    cholmod_sparse *a = cholmod_allocate_sparse(3 * points, 3 * points, 81L * 3 * points, 1, 1, 1, CHOLMOD_REAL, c);
    int *starts = a->p, *rows = a->i, next = 0;
    double *values = a->x;
    for (int w = 0; w < points; w++)
        for (int d = 0; d < 3; d++) {
            int j = 3 * w + d, x = w % n, y = w / n % n, z = w / n / n;
            starts[j] = next;
            for (int k = z > 0 ? z - 1 : 0; k <= z + 1 && k < n; k++)
                for (int l = y > 0 ? y - 1 : 0; l <= y + 1 && l < n; l++)
                    for (int m = x > 0 ? x - 1 : 0; m <= x + 1 && m < n; m++)
                        for (int r = 0; r < 3; r++) {
                            int i = 3 * (m + n * (l + n * k)) + r;
                            if (i <= j) {
                                rows[next] = i;
                                values[next++] = entry(i, j);
                            }
                        }
        }
    starts[3 * points] = next;
    return a;
}

static int ascending(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static double median(double *times, int runs)
{
    qsort(times, runs, sizeof *times, ascending);
    return times[runs / 2];
}

static void measure(int side, int runs, cholmod_common *c)
{
    double times[100], start, sum = 0;
    cholmod_sparse *a = matrix(side, c);
    int n = a->nrow;
    start = now_ms();
    cholmod_factor *l = cholmod_analyze(a, c);
    double analyse = now_ms() - start;
    cholmod_factorize(a, l, c);
    for (int run = 0; run < runs; run++) {
        start = now_ms();
        cholmod_factorize(a, l, c);
        times[run] = now_ms() - start;
    }
    double refactor = median(times, runs);
    cholmod_dense *b = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, c), *x = NULL, *y = NULL, *e = NULL;
    for (int i = 0; i < n; i++)
        ((double *)b->x)[i] = 1 + i % 11;
    /* solve2 keeps its memory from run to run */
    cholmod_solve2(CHOLMOD_A, l, b, NULL, &x, NULL, &y, &e, c);
    for (int run = 0; run < 4 * runs; run++) {
        start = now_ms();
        cholmod_solve2(CHOLMOD_A, l, b, NULL, &x, NULL, &y, &e, c);
        times[run] = now_ms() - start;
    }
    double solve = median(times, 4 * runs);
    for (int i = 0; i < n; i++)
        sum += ((double *)x->x)[i];
    printf("{\"side\": %d, \"ordering\": \"METIS\", \"order_and_analyse_ms\": %.3f, \"entries\": %.0f, \"stored_entries\": %ld, "
           "\"refactor_ms\": %.3f, \"solve_ms\": %.4f, \"sum_of_solution\": %.12g, \"blas_core\": \"%s\", \"threads\": %d}\n",
           side, analyse, c->lnz, (long)l->xsize, refactor, solve, sum, openblas_get_corename(), openblas_get_num_threads());
}

int main(void)
{
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.postorder = 1;
    measure(10, 25, &common);
    measure(20, 5, &common);
    return 0;
}
